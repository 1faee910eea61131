"""Python of an asset."""


def check_python(asset, faults):
    try:
        compile(asset.text("PythonModule"), "PythonModule", "exec")
    except SyntaxError as error:
        faults.add(asset.folder / "PythonModule", f"is not Python: {error}")
