"""Rules about values, channels, and how an asset's parameters reach the nodes inside."""
import re

from .rule import rule
from .structure import children
from .values import Unreadable, channels, driven, expression, parm_values

REFERENCE = re.compile(r'(chs?)\("\.\./(\w+)"\)')


def values_of(node):
    try:
        return parm_values(node.text("parm"))
    except Unreadable:
        return {}


def components(parm):
    """Channel names of a parameter of a dialog; those of ramp keys with # for their number."""
    name, kind, size = parm.text("name") or "", parm.text("type"), int(parm.text("size") or 1)
    if kind in ("ramp_flt", "ramp_rgb"):
        return {name} | {f"{name}#{part}" for part in ("pos", "value", "interp", "cr", "cg", "cb")}
    if size == 1:
        return {name}
    suffixes = "rgba" if kind.startswith("color") else "123456" if kind in ("float", "integer", "string", "toggle") else "xyzwuv"
    return {name} | {name + suffix for suffix in suffixes}


def parameter_names(asset):
    return {name for parm in asset.parms() for name in components(parm)}


@rule(".parm has version 0.8 and one name with its values after the other")
def readable_values(asset, facts):
    for node in children(asset):
        if "parm" in node.parts:
            try:
                parm_values(node.text("parm"))
                yield True, node.name
            except Unreadable as error:
                yield False, f"{node.name}: {error}"


@rule("texts in .parm have line breaks as they are; only quotes and backslashes are escaped")
def escapes(asset, facts):
    for node in children(asset):
        for name, words in values_of(node).items():
            for word in words:
                if word.startswith('"') and ("\\" in word or "\n" in word):
                    yield not re.search(r'\\[^"\\]', re.sub(r"\\\\", "", word)), f"{node.name}: {name}"


@rule("a driven value is '[ channel', a tab, the value and ' ] '")
def driven_values(asset, facts):
    for node in children(asset):
        for name, words in values_of(node).items():
            for channel, separator, _ in driven(words):
                yield separator == "\t" and channel.startswith(name.rstrip("0123456789")[:1]), f"{node.name}: {channel}"


@rule("every channel drives a value, and every driven value has its channel")
def driven_have_channels(asset, facts):
    for node in children(asset):
        there = set(channels(node.text("chn")))
        wanted = {channel for words in values_of(node).values() for channel, _, _ in driven(words)}
        for channel in sorted(there | wanted):
            yield channel in there and channel in wanted, f"{node.name}: {channel}"


@rule(".chn is indented by four blanks, with lefttype, righttype, a default unless it is 0, flags and a segment")
def channel_grammar(asset, facts):
    for node in children(asset):
        text = node.text("chn")
        if not text:
            continue
        found = channels(text)
        plain = len(re.findall(r"^    channel \w+ \{$", text, re.M))
        yield text.startswith("{\n    channel ") and text.rstrip("\n").endswith("    }\n  }") and len(found) == plain, node.name
        for name, body in found.items():
            yield bool(re.match(r"      lefttype = \w+\n      righttype = \w+\n"
                                r"(      default = (?!0\n)\S+\n|      defaultString = .*?\n)?      flags = \d+\n      segment \{", body)), \
                f"{node.name}: {name}"


@rule("a segment repeats a default that is not 0 as its value, and has none beside a text")
def segment_values(asset, facts):
    for node in children(asset):
        for name, body in channels(node.text("chn")).items():
            default = re.search(r"^      default = (\S+)$", body, re.M)
            if len(re.findall(r"^      segment \{", body, re.M)) == 1 and expression(body):
                match = re.search(r"segment \{ length = \S+ (?:value = (\S+) \S+ )?(?:accel = \S+ \S+ )?expr = ", body)
                yield bool(match) and bool(match.group(1)) == bool(default), f"{node.name}: {name}"


@rule("an expression that only fetches ../name finds that parameter in the dialog")
def references(asset, facts):
    names = parameter_names(asset)
    for node in children(asset):
        for channel, body in channels(node.text("chn")).items():
            match = REFERENCE.fullmatch((expression(body) or "").strip())
            if match:
                instance = re.sub(r"\d+(?=(pos|value|interp|cr|cg|cb|c)$)", "#", match.group(2))
                multi = re.sub(r"\d+", "#", match.group(2))
                yield bool({match.group(2), instance, multi} & names), f"{node.name}: {channel} from {match.group(2)}"


@rule("an expression reaches other nodes by relative paths")
def relative_paths(asset, facts):
    for node in children(asset):
        for channel, body in channels(node.text("chn")).items():
            for path in re.findall(r'\bch[sf]?\("([^"]+)"', expression(body) or ""):
                yield not path.startswith("/"), f"{node.name}: {channel} from {path}"


@rule("a menu inside is set to a word that it has in other assets")
def known_words(asset, facts):
    for node in children(asset):
        for name, words in values_of(node).items():
            seen = facts["words"].get(node.kind, {}).get(name)
            if seen and len(words) == 1 and words[0].startswith('"'):
                yield words[0].strip('"') in {*seen, *(("on", "off") if {"on", "off"} & set(seen) else ())}, f"{node.name}: {name}"


@rule("texts are fetched with chs and have a defaultString, numbers with ch and have none")
def text_references(asset, facts):
    texts = {parm.text("name") for parm in asset.parms() if parm.text("type") in ("string", "file", "oppath", "geometry")}
    numbers = {parm.text("name") for parm in asset.parms() if parm.text("type") in ("float", "integer", "toggle")}
    for node in children(asset):
        for channel, body in channels(node.text("chn")).items():
            match = REFERENCE.fullmatch((expression(body) or "").strip())
            if match and match.group(2) in texts | numbers:
                text = match.group(2) in texts
                yield (match.group(1) == "chs") == text and ("defaultString" in body) == text, f"{node.name}: {channel}"


def linked_ramps(asset, node):
    """Ramp of the node to that of the asset which counts its keys."""
    ramps = {parm.text("name") for parm in asset.parms() if parm.text("type") in ("ramp_flt", "ramp_rgb")}
    values = values_of(node)
    for name, body in channels(node.text("chn")).items():
        reference = REFERENCE.fullmatch((expression(body) or "").strip())
        if reference and (f"{name}1pos" in values or reference.group(2) in ramps):
            yield name, reference.group(2)


def key_parts(node, ramp):
    """What a key of a ramp is made of: curves have values, colours have three numbers."""
    colour = f"{ramp}1c" in values_of(node)
    return ("pos", "cr", "cg", "cb", "interp") if colour else ("pos", "value", "interp")


@rule("a ramp whose number of keys is linked has a .multiparm part that links what new keys are made of")
def ramp_links(asset, facts):
    for node in children(asset):
        lines = node.text("multiparm").split("\n")
        for inner, outer in linked_ramps(asset, node):
            yield all(f"{inner}#{part} ../{outer}#{part}" in lines for part in key_parts(node, inner)), f"{node.name}: {inner}"


@rule("of a linked ramp every key that is there is linked too, one channel for each number of it")
def ramp_channels(asset, facts):
    for node in children(asset):
        there, values = channels(node.text("chn")), values_of(node)
        for inner, outer in linked_ramps(asset, node):
            count = [value for _, _, value in driven(values.get(inner, []))]
            yield count != ["0"] and len(count) == 1 and count[0].isdigit(), f"{node.name}: {inner}"
            for number in range(1, int(count[0]) + 1 if count and count[0].isdigit() else 0):
                for part in key_parts(node, inner):
                    key = f"{inner}{number}{part}"
                    yield (expression(there.get(key, "")) or "").strip() == f'ch("../{outer}{number}{part}")', f"{node.name}: {key}"


@rule("a .multiparm part counts its lines; both names of a line have the same number of #")
def multiparm_parts(asset, facts):
    for node in asset.network.nodes.values():
        if "multiparm" in node.parts:
            count, *lines = node.text("multiparm").strip("\n").split("\n")
            pairs = [line.split(" ") for line in lines]
            yield count == str(len(lines)) and all(len(pair) == 2 and pair[0].count("#") == pair[1].count("#") > 0
                                                   for pair in pairs), node.name
