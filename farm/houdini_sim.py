#!/usr/bin/env hython
"""One ordered simulation job in Houdini: cooks a node frame by frame, writes its geometry, goes on after a kill.

    hython farm/houdini_sim.py shot.hip /obj/jelly/softbody1 '/cache/jelly.$F4.bgeo.sc' --frames 1-240

A simulation needs every frame before the next one, so that it is one task on one machine and not one per frame.
Frames are written under another name and renamed: a file that is there is complete. After a kill the same command
skips what is there; a SOP simulation has no checkpoint on disk, so frames before the first missing one are simulated
again, and come out the same to the bit. `dashpot simulate --resume` needs no such detour.
"""
import argparse
import os
import sys


def frame_range(text):
    first, last = text.rsplit("-", 1)
    return int(first), int(last)


def frame_path(pattern, frame):
    return pattern.replace("$F4", f"{frame:04d}").replace("$F", str(frame))


def first_missing(pattern, first, last):
    for frame in range(first, last + 1):
        if not os.path.exists(frame_path(pattern, frame)):
            return frame
    return last + 1


def write_frame(hou, node, pattern, frame):
    hou.setFrame(frame)
    geometry = node.geometry()  # cooks, in order
    if node.errors():
        raise RuntimeError(f"frame {frame}: " + " ".join(node.errors()))
    path = frame_path(pattern, frame)
    if os.path.exists(path):
        return
    head, name = os.path.split(path)
    partial = os.path.join(head, "writing." + name)
    geometry.saveToFile(partial)
    os.replace(partial, path)


def run(hou, options):
    first, last = frame_range(options.frames)
    os.makedirs(os.path.dirname(options.out) or ".", exist_ok=True)
    if first_missing(options.out, first, last) > last:
        print("ALF_PROGRESS 100%", flush=True)
        return
    try:
        hou.hipFile.load(options.hip, suppress_save_prompt=True)
    except hou.LoadWarning as warning:
        print(warning, file=sys.stderr)
    node = hou.node(options.node)
    if node is None:
        raise RuntimeError(f"{options.hip} has no node {options.node}")
    for frame in range(first, last + 1):
        write_frame(hou, node, options.out, frame)
        print(f"ALF_PROGRESS {100 * (frame - first + 1) // (last - first + 1)}%", flush=True)


def main(arguments, hou):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hip")
    parser.add_argument("node")
    parser.add_argument("out", help="with $F or $F4")
    parser.add_argument("--frames", required=True, help="as in 1-240")
    try:
        run(hou, parser.parse_args(arguments))
    except Exception as error:  # whatever it is, the farm must see a code that is not zero
        print(f"houdini_sim: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    import hou as houdini
    sys.exit(main(sys.argv[1:], houdini))
