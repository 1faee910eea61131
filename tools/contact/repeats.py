"""The same bits however often, on whatever, and with whatever interruption."""
import subprocess
import time

from .runs import Comparison
from .scenes import ball, box, damped, plane, scene


def bits(_folder, _thorough):
    pile = [box("floor", [0.6, 0.1, 0.6], [4, 1, 4], [0, 0.05, 0], youngsmodulus=1e6),
            ball("ball", 0.15, 6, [0.05, 0.3, 0], **damped(1e5, 0.02)),
            box("box", [0.2, 0.2, 0.2], [3, 3, 3], [-0.05, 0.65, 0.03], rotate=[10, 20, 30], youngsmodulus=1e7, friction=0.3)]
    text = scene(30, pile, [plane(friction=0.4)])
    yield Comparison("bits on 1, 2, 5 threads", text, _threads)
    yield Comparison("bits after kill -9 and --resume", text, _killed)


def _hashes(stats):
    return [line["hash"] for line in stats]


def _threads(program, name, text):
    runs = [_hashes(program.simulate(f"{name} {threads}", text, threads=threads).stats) for threads in (1, 2, 5)]
    return _compare(runs)


def _killed(program, name, text):
    whole = _hashes(program.simulate(name, text).stats)
    command, folder = program.command(f"{name} killed", text, ("--checkpoint-every", "4"))
    for old in folder.glob("f.*"):
        old.unlink()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (folder / "f.0018.bgeo.sc").exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    resumed = program.simulate(f"{name} killed", text, words=("--resume",))
    return _compare([whole, _hashes(resumed.stats)])


def _compare(runs):
    apart = [frame for frame, hashes in enumerate(zip(*runs), 1) if len(set(hashes)) > 1]
    same = not apart and len({len(run) for run in runs}) == 1
    return f"{len(runs[0])} frames" + (f", apart from frame {apart[0]} on" if apart else " alike" if same else ", not as many in each"), same
