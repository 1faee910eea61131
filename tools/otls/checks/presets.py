"""Presets: the files of the gear menu, the menu of the asset and its table."""
import json
import re
import struct

from .. import dialog


def read_index(data):
    """[(name, text)] of an .idx file; throws ValueError."""
    if data[:4] != b"INDX" or len(data) < 16:
        raise ValueError("is not an INDX file")
    zero, other, count = struct.unpack(">III", data[4:16])
    if zero or other:
        raise ValueError("has an unknown version")
    position, entries = 16, []
    for _ in range(count):
        if position + 4 > len(data):
            raise ValueError("ends within its table")
        length = struct.unpack(">I", data[position:position + 4])[0]
        name = data[position + 4:position + 4 + length]
        position += 4 + length
        if position + 12 > len(data):
            raise ValueError("ends within its table")
        offset, size, _ = struct.unpack(">III", data[position:position + 12])
        entries.append((name.decode(), offset, size))
        position += 12
    body = data[position:]
    if sum(size for _, _, size in entries) != len(body) or any(o + s > len(body) for _, o, s in entries):
        raise ValueError("names more or less data than it holds")
    return [(name, body[offset:offset + size].decode()) for name, offset, size in entries]


def check_entry(path, preset, menu, text, declaration, faults):
    """Every value of the preset is set, and nothing else. menu: the node also has a menu that must show it."""
    name = preset["label"]
    there = dict(re.findall(r"^(\w+)\t\[ 0\tlocks=0 \]\t\(\t(.*)\t\)$", text, re.M))
    shown = {"preset": preset["token"], "presetstate": name} if menu else {}
    for token, value in {**shown, **preset["values"]}.items():
        got = there.get(token)
        same = got == f'"{value}"' if isinstance(value, str) else got is not None and float(got) == value
        if not same:
            faults.add(path, f"{name}: {token} is {got}, the table says {value}")
    for token, ends in preset.get("ranges", {}).items():
        got = [float(end) for end in there.get(token, "").split()]
        # A ramp means nothing without its range.
        if got != (ends if token[:-len("range")] in there else []):
            faults.add(path, f"{name}: {token} is {got}, the table says {ends}")
    for token in there:
        stem = re.sub(r"\d+(pos|value|interp)$", "", token)
        if stem not in declaration.preset_tokens and token not in shown:
            faults.add(path, f"{name}: sets {token}, which is not of material or damping")


def check_preset_file(path, menu, declaration, faults):
    try:
        entries = read_index(path.read_bytes())
    except (OSError, ValueError, UnicodeDecodeError) as error:
        faults.add(path, str(error))
        return
    labels = {p["label"]: p for p in declaration.presets}
    if [name for name, _ in entries] != list(labels):
        faults.add(path, "does not hold the presets of the table, in order")
    for name, text in entries:
        if not re.fullmatch(r"#PSI_PRESET\nversion 2.0a\nopvalues\n\{\nversion 0.8\n(.*\n)*\}\n", text):
            faults.add(path, f"{name}: cannot be read")
            continue
        if name in labels:
            check_entry(path, labels[name], menu, text, declaration, faults)


def check_preset_section(folder, tree, declaration, faults):
    menu = next((p for p in dialog.parms(tree) if p.text("name") == "preset"), None)
    if menu is None or not menu.all("menu"):
        faults.add(folder, "the dialog has no preset menu")
        return
    items = [key for key, _, _ in menu.all("menu")[0][0].entries]
    if items != ["custom"] + [p["token"] for p in declaration.presets]:
        faults.add(folder, "the preset menu is not the table of presets")
    path = folder / "presets.json"
    try:
        table = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        faults.add(path, f"cannot be read: {error}")
        return
    if [(p.get("token"), p.get("values")) for p in table] != [(p["token"], p["values"]) for p in declaration.presets]:
        faults.add(path, "is not the table of presets")
