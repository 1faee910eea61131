"""docs/validation.md: one section per figure between marks, so that figures can be made one by one."""
import pathlib
import re

from .program import ROOT

PAGE = ROOT / "docs/validation.md"
IMAGES = ROOT / "docs/images/validation"
HEAD = """# Validation gallery

<!-- Everything between marks is made by tools/make_gallery; edit the script instead. -->
What papers show, done again with the `dashpot` program: every number under *here* was measured by the script that wrote this
page. The papers' scenes are bunnies and dragons that are not ours to give away; the scenes here are boxes, rings and balls in the same
situation, so pictures are compared by what happens in them, and numbers where theory or a paper gives some.

    tools/make_gallery            # all of it, some minutes
    tools/make_gallery fig4 fig9  # these figures only

Papers: **B** Brown, Overby, Forootaninia, Narain 2018 · **L** Li, Liu, Kavan 2018 · **O** Overby, Brown, Li, Narain 2017 ·
**X** Xu, Barbič 2017. What is tested, with tolerances, is in `tests/validation/`.
"""
TAIL = """## Not reproduced

| figure | why |
|---|---|
| B 2, B 10; L 2, L 7; O 3, O 7, O 9 | cloth, ribbons, hair, strain limits: Dashpot has tets only |
| O 8 | sliding skins: not simulated |
| L 3 to L 6 | comparisons with other solvers' damping by eye, and their timings; ours are in [damping](damping.md#what-it-costs) |
| O 1, O 10 centre and right, O 11 | interactive frame rates, other solvers for constraints, choice of weights by hand |
"""


def mark(token):
    return f"<!-- {token} -->", f"<!-- /{token} -->"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def write_page(sections, order):
    """`sections`: token -> Markdown of what was made now; the others stay as they are."""
    old = PAGE.read_text() if PAGE.exists() else ""
    parts = [HEAD]
    for token in order:
        begin, end = mark(token)
        found = re.search(re.escape(begin) + r"\n(.*?)" + re.escape(end), old, re.S)
        text = sections.get(token) or (found.group(1).strip("\n") if found else None)
        if text:
            parts.append(f"{begin}\n{text.strip()}\n\n{end}\n")
    PAGE.write_text("\n".join(parts + [TAIL]))


def picture(name):
    IMAGES.mkdir(parents=True, exist_ok=True)
    return IMAGES / name


def show(name, text):
    return f"![{text}](images/validation/{name})"


def save(name, text, svg):
    pathlib.Path(picture(name)).write_text(svg)
    return show(name, text)
