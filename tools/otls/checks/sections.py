"""Folders of an expanded asset: section lists, their files, the index."""
import re

INDEX_KEYS = ["Operator", "Label", "Path", "Icon", "Table", "License", "Extra", "User", "Inputs", "Subnet", "Python",
              "Empty", "Modified"]


def mangled(section):
    return section.replace("_", "__").replace("/", "_1").replace(":", "_8")


def read_sections(path, faults):
    """Section name to file name."""
    if not path.is_file():
        faults.add(path, "is missing")
        return {}
    lines = path.read_text().splitlines()
    if not lines or lines[0] != '""':
        faults.add(path, 'must begin with a line ""')
    result = {}
    for line in lines[1:]:
        parts = line.split("\t")
        if len(parts) != 2:
            faults.add(path, f"'{line}' is not a file, a tab and a section")
        elif parts[1] in result:
            faults.add(path, f"lists {parts[1]} twice")
        else:
            if parts[0] != mangled(parts[1]):
                faults.add(path, f"section {parts[1]} must be in the file {mangled(parts[1])}, not {parts[0]}")
            result[parts[1]] = parts[0]
    return result


def check_files_listed(folder, sections, faults):
    for section, name in sections.items():
        path = folder / ("Contents.dir" if name == "Contents.gz" else name)
        if not path.exists():
            faults.add(folder, f"section {section} is listed, but {path.name} is missing")
    listed = {"Contents.dir" if name == "Contents.gz" else name for name in sections.values()} | {"Sections.list"}
    for path in folder.iterdir():
        if path.name not in listed:
            faults.add(folder, f"{path.name} is not in Sections.list")


def check_index(path, name, input_count, faults):
    if not path.is_file():
        return
    pairs = [line.split(":", 1) for line in path.read_text().splitlines() if line.strip()]
    keys = [pair[0] for pair in pairs]
    if keys != INDEX_KEYS:
        faults.add(path, f"its keys must be {', '.join(INDEX_KEYS)}, in this order")
        return
    values = {key: value.strip() for key, value in pairs}
    section = f"dashpot::Sop/{name}::1.0"
    for key, wanted in {"Operator": f"dashpot::{name}::1.0", "Path": f"oplib:/{section}?{section}", "Table": "Sop",
                        "Subnet": "true"}.items():
        if values[key] != wanted:
            faults.add(path, f"{key} is {values[key]} and must be {wanted}")
    match = re.fullmatch(r"(\d+) to (\d+)", values["Inputs"])
    if not match or int(match.group(2)) != input_count:
        faults.add(path, f"Inputs is {values['Inputs']}, but the dialog labels {input_count}")
