"""The two languages of a node's values: .parm parts and .chn parts, read strictly enough to count what is in them."""
import re

LINE = re.compile(r"(\w+)\t\[ [^\]]* \]\t\(\t")
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\[ \w+[\t ](?:"(?:[^"\\]|\\.)*"|[^\]"]*?) \] |(?:`[^`]*`|\\.|[^\t\n"])*', re.S)
DRIVEN = re.compile(r"\[ (\w+)([\t ])(.*) \] ", re.S)
CHANNEL = re.compile(r"^[ \t]+channel (\w+) \{\n(.*?)^[ \t]+\}\n", re.M | re.S)
SEGMENT = re.compile(r"^[ \t]+segment \{ (.*?) \}$", re.M | re.S)


class Unreadable(Exception):
    pass


def parm_values(text):
    """Name to the words between its brackets; quoted texts keep quotes and escapes. Throws Unreadable."""
    if not text.startswith("{\nversion 0.8\n"):
        raise Unreadable("does not begin with its version")
    result, at = {}, len("{\nversion 0.8\n")
    while text[at:at + 2] != "}\n":
        line = LINE.match(text, at)
        if not line:
            raise Unreadable(f"'{text[at:at + 40].splitlines()[0] if text[at:] else ''}' is no parameter")
        at, words = line.end(), []
        while text[at:at + 2] != ")\n":
            word = WORD.match(text, at)
            if not word or text[word.end():word.end() + 1] != "\t":
                raise Unreadable(f"a value of {line.group(1)} does not end")
            words.append(word.group())
            at = word.end() + 1
        result[line.group(1)] = words
        at += 2
    return result


def driven(words):
    """(channel, separator, value) of those that a channel drives."""
    return [match.groups() for match in map(DRIVEN.fullmatch, words) if match]


def channels(text):
    """Name to the text of each channel of a .chn part."""
    return dict(CHANNEL.findall(text))


def expression(channel):
    """What a channel evaluates, with its quotes unescaped, or None."""
    segment = SEGMENT.search(channel)
    match = re.search(r"\bexpr = (.*)$", segment.group(1), re.S) if segment else None
    return match.group(1).replace('\\"', '"') if match else None
