"""Houdini's dialog scripts (.ds), read into a tree: as much of the language as Dashpot's dialogs use."""

GROUP_KINDS = {"group", "groupsimple", "groupcollapsible", "groupradio"}
KEY_ORDER = ["name", "label", "type", "invisible", "nolabel", "joinnext", "size", "default", "help", "disablewhen", "hidewhen",
             "menu", "menutoggle", "menureplace", "range", "unquoted", "export", "parmtag"]


class DialogError(Exception):
    pass


def tokens(text):
    """(kind, text, line): kind is word, text, {, } or newline."""
    line, i = 1, 0
    while i < len(text):
        c = text[i]
        if c == "\n":
            yield "newline", c, line
            line, i = line + 1, i + 1
        elif c in " \t\r":
            i += 1
        elif c == "#":
            while i < len(text) and text[i] != "\n":
                i += 1
        elif c in "{}":
            yield c, c, line
            i += 1
        elif c == '"':
            value, i = "", i + 1
            while True:
                if i >= len(text) or text[i] == "\n":
                    raise DialogError(f"line {line}: a text is not closed")
                if text[i] == '"':
                    break
                if text[i] == "\\":
                    i += 1
                    value += "\n" if text[i] == "n" else text[i]
                else:
                    value += text[i]
                i += 1
            yield "text", value, line
            i += 1
        else:
            begin = i
            while i < len(text) and text[i] not in ' \t\r\n{}"':
                i += 1
            yield "word", text[begin:i], line


class Block:
    """{ key value … } with one entry per line; nested blocks are values."""

    def __init__(self, line):
        self.line = line
        self.entries = []  # (key, [values], line); a value is a str or a Block

    def all(self, key):
        return [values for name, values, _ in self.entries if name == key]

    def text(self, key):
        found = self.all(key)
        return found[0][0] if found and found[0] and isinstance(found[0][0], str) else None

    def words(self):
        """Everything inside a block of plain values, such as default { "0" "1" }."""
        return [word for key, values, _ in self.entries for word in [key, *values]]


def parse(text):
    """The outermost block. Throws DialogError."""
    stream = [t for t in tokens(text)]
    position = 0

    def block():
        nonlocal position
        result = Block(stream[position][2])
        position += 1
        entry = None
        while True:
            if position >= len(stream):
                raise DialogError(f"line {result.line}: a brace is not closed")
            kind, value, line = stream[position]
            if kind == "}":
                position += 1
                return result
            if kind == "newline":
                entry, position = None, position + 1
            elif kind == "{":
                inner = block()
                if entry is None:
                    raise DialogError(f"line {line}: a block without a key")
                entry[1].append(inner)
            else:
                if entry is None:
                    entry = (value, [], line)
                    result.entries.append(entry)
                else:
                    entry[1].append(value)
                position += 1

    while position < len(stream) and stream[position][0] == "newline":
        position += 1
    if position >= len(stream) or stream[position][0] != "{":
        raise DialogError("a dialog script begins with {")
    result = block()
    if any(kind != "newline" for kind, _, _ in stream[position:]):
        raise DialogError(f"line {stream[position][2]}: more after the end of the dialog")
    return result


def why_unreadable(text):
    """The error that reading a script ends with, or None."""
    try:
        parse(text)
    except DialogError as error:
        return error
    return None


def parms(block):
    """Every parm block, groups included, in order."""
    for key, values, _ in block.entries:
        if key == "parm":
            yield values[0]
        elif key in GROUP_KINDS:
            yield from parms(values[0])


def parm_texts(script):
    """The text of every parm block of a script that dashpot wrote, by name: to be put elsewhere as it is."""
    result, lines = {}, script.splitlines()
    begin = None
    for number, line in enumerate(lines):
        if line == "        parm {":
            begin = number
        elif line == "        }" and begin is not None:
            block = lines[begin:number + 1]
            name = next(l for l in block if l.strip().startswith("name ")).split('"')[1]
            result[name] = [l[8:] for l in block]
            begin = None
    return result
