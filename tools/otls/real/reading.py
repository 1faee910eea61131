"""An expanded asset, anybody's, as data: sections, dialog, network. Nothing is judged here."""
import pathlib
import re

from .. import dialog

HEADER = re.compile(r'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="([^"]+)"\n\n')
PART = re.compile(r'\nContent-Disposition: attachment; filename="([^"]+)"\nContent-Type: ([^\n]+)\n(?:[A-Z][^\n]*\n)*\n')


def text_of(path):
    return path.read_bytes().decode(errors="replace") if path.is_file() else ""


class Node:
    """One node of a network, from the parts that bear its name."""

    def __init__(self, path):
        self.path, self.parts, self.bodies = path, [], {}

    def add(self, part, body):
        self.parts.append(part)
        self.bodies[part] = body

    def text(self, part):
        return self.bodies.get(part, "")

    @property
    def is_root(self):
        return self.path == "hdaroot"

    @property
    def name(self):
        return self.path.removeprefix("hdaroot/")

    @property
    def kind(self):
        match = re.match(r"type = (\S+)\n", self.text("init"))
        return match.group(1) if match else None

    @property
    def matchesdef(self):
        match = re.search(r"^matchesdef = (\d)$", self.text("init"), re.M)
        return match.group(1) if match else None

    def block(self, key):
        """Lines of key { … } in the .def part, or None."""
        match = re.search(rf"^{key}\n\{{\n(.*?)^\}}\n", self.text("def"), re.M | re.S)
        return match.group(1).splitlines() if match else None

    def flag(self, name):
        match = re.search(rf"^flags = .*\b{name} (on|off)\b", self.text("def"), re.M)
        return match.group(1) if match else None


class Network:
    def __init__(self, path):
        self.text = text_of(path)
        self.parts, self.nodes, self.whole = [], {}, False
        header = HEADER.match(self.text)
        if not header:
            return
        boundary = "--" + header.group(1)
        self.whole = self.text.endswith(boundary + "--\n")
        for piece in self.text[header.end():].split(boundary)[1:]:
            head = PART.match(piece)
            if head:
                self._add(head.group(1), piece[head.end():])

    def _add(self, name, body):
        self.parts.append((name, body))
        stem, dot, part = name.rpartition(".")
        if dot and (stem == "hdaroot" or stem.startswith("hdaroot/")):
            self.nodes.setdefault(stem, Node(stem)).add(part, body)

    def body(self, name):
        return next((body for part, body in self.parts if part == name), "")

    def holds(self, path):
        """Whether something is inside the node."""
        return any(other.startswith(path + "/") for other in self.nodes)


class Asset:
    """One asset of a library."""

    def __init__(self, library, folder, section):
        self.library, self.folder, self.section = library, folder, section
        self.network = Network(folder / "Contents.dir/Contents.mime")
        script = self.text("DialogScript")
        self.dialog = None if dialog.why_unreadable(script) else dialog.parse(script)

    def text(self, name):
        return text_of(self.folder / name)

    def has(self, name):
        return (self.folder / name).is_file()

    @property
    def table(self):
        return re.sub(r"^.*::|^", "", self.section.split("/")[0])

    @property
    def operator(self):
        """ns::Sop/name::1.0 is the operator ns::name::1.0."""
        before, _, after = self.section.partition("/")
        return before[:-len(self.table)] + after

    def parms(self):
        return list(dialog.parms(self.dialog)) if self.dialog else []

    def index(self):
        """Keys and values of its block of INDEX__SECTION."""
        for block in text_of(self.library / "INDEX__SECTION").split("\n\n"):
            pairs = [line.split(":", 1) for line in block.splitlines() if ":" in line]
            if dict(pairs).get("Path", "").strip().endswith("?" + self.section):
                return [(key, value.strip()) for key, value in pairs]
        return []


def section_lines(path):
    return [line.split("\t") for line in text_of(path).splitlines()[1:]]


def assets_of(library):
    for line in section_lines(library / "Sections.list"):
        if len(line) == 2 and (library / line[0]).is_dir():
            yield Asset(library, library / line[0], line[1])


def libraries(folder):
    """Every expanded library below a folder."""
    return sorted(path.parent for path in pathlib.Path(folder).rglob("houdini.hdalibrary"))
