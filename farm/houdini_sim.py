#!/usr/bin/env hython
"""One ordered simulation job in Houdini: cooks a node frame by frame, writes its geometry, goes on after a kill.

    hython farm/houdini_sim.py shot.hip /obj/jelly/softbody1 '$HIP/cache/$OS.$F4.bgeo.sc' --frames 1-240

A simulation needs every frame before the next one, so that it is one task on one machine and not one per frame.
Frames are written under another name and renamed: a file that is there is complete. After a kill the same command
skips what is there; a SOP simulation has no checkpoint on disk, so frames before the first missing one are simulated
again, and come out the same to the bit. `dashpot simulate --resume` needs no such detour.
"""
import argparse
import os
import re
import sys

PROGRESS = {"alf": "ALF_PROGRESS", "deadline": "Progress:"}


def frame_range(text):
    match = re.fullmatch(r"(-?\d+)-(-?\d+)", text)
    if not match or int(match.group(1)) > int(match.group(2)):
        raise RuntimeError(f"--frames {text} is not a range of frames; write it as 1-240")
    return range(int(match.group(1)), int(match.group(2)) + 1)


class FrameFiles:
    """Where frames go. Variables are Houdini's, so that $HIP is known once the scene is loaded."""

    def __init__(self, hou, node, pattern, frames):
        self.hou = hou
        # A node's own variable, which means nothing outside of the node's parameters.
        self.pattern = re.sub(r"\$OS\b|\$\{OS\}", lambda _: node.name(), pattern)
        if len(frames) > 1 and self.path(frames[0]) == self.path(frames[-1]):
            raise RuntimeError(f"{pattern} names one file for all frames; write $F4 where the frame number goes, and "
                               "quote it so that the shell leaves it alone")
        os.makedirs(os.path.dirname(self.path(frames[0])) or ".", exist_ok=True)

    def path(self, frame):
        return self.hou.text.expandStringAtFrame(self.pattern, frame)

    def is_written(self, frame):
        return os.path.exists(self.path(frame))

    def write(self, frame, geometry):
        head, name = os.path.split(self.path(frame))
        partial = os.path.join(head, "writing." + name)
        geometry.saveToFile(partial)
        os.replace(partial, self.path(frame))


def load(hou, hip):
    try:
        hou.hipFile.load(hip, suppress_save_prompt=True)
    except hou.LoadWarning as warning:
        print(warning, file=sys.stderr)


def cook_frame(hou, node, frame, seen_warnings):
    hou.setFrame(frame)
    geometry = node.geometry()  # cooks, in order
    if node.errors():
        raise RuntimeError(f"frame {frame}: " + " ".join(node.errors()))
    for warning in node.warnings():
        if warning not in seen_warnings:
            print(f"frame {frame}: {warning}", file=sys.stderr, flush=True)
            seen_warnings.add(warning)
    return geometry


def run(hou, options):
    frames = frame_range(options.frames)
    load(hou, options.hip)
    node = hou.node(options.node)
    if node is None:
        raise RuntimeError(f"{options.hip} has no node {options.node}")
    files = FrameFiles(hou, node, options.out, frames)
    seen_warnings = set()
    to_cook = [] if all(files.is_written(frame) for frame in frames) else frames
    for frame in to_cook:
        geometry = cook_frame(hou, node, frame, seen_warnings)
        if not files.is_written(frame):
            files.write(frame, geometry)
        if frame != frames[-1]:
            print(f"{PROGRESS[options.progress]} {100 * (frame - frames[0] + 1) // len(frames)}%", flush=True)
    print(f"{PROGRESS[options.progress]} 100%", flush=True)


def main(arguments, hou):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hip")
    parser.add_argument("node")
    parser.add_argument("out", help="with $F or $F4, and any other variable of Houdini")
    parser.add_argument("--frames", required=True, help="as in 1-240")
    parser.add_argument("--progress", choices=PROGRESS, default="alf", help="alf for Tractor and HQueue, or deadline")
    try:
        run(hou, parser.parse_args(arguments))
    except Exception as error:  # whatever it is, the farm must see a code that is not zero
        print(f"houdini_sim: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    import hou as houdini
    sys.exit(main(sys.argv[1:], houdini))
