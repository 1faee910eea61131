"""What the solver declares, asked from the dashpot program: parameters, their dialogs, presets."""
import json
import subprocess

from . import dialog


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number_text(value):
    return f"{value:.15g}"


class Declaration:
    def __init__(self, dashpot):
        def ask(*words):
            return subprocess.run([dashpot, *words], check=True, capture_output=True, text=True).stdout

        self.parameters = {p["token"]: p for p in json.loads(ask("params", "--json"))}
        self.presets = json.loads(ask("presets", "--json"))
        self.sop_dialog = ask("params", "--sop-dialog")
        self.blocks = dialog.parm_texts(self.sop_dialog)
        self.tree = dialog.parse(self.sop_dialog)
        self.types = {p.text("name"): p.text("type") for p in dialog.parms(self.tree)}
        # Numbers with two components, by name: their defaults.
        self.pairs = {p.text("name"): [float(word) for word in p.all("default")[0][0].words()]
                      for p in dialog.parms(self.tree) if p.text("size") == "2"}
        self.folders = [(g[0].text("name"), g[0].text("label"), [p.text("name") for p in dialog.parms(g[0])])
                        for g in self.tree.all("group")]
        self._correct_ramps()
        self.preset_tokens = [token for part in ("values", "ranges", "ramps") for token in self.presets[0][part]]

    def _correct_ramps(self):
        for token, p in self.parameters.items():
            if p["type"] != "ramp" or self.types.get(token) == "ramp_flt":
                continue
            keys = " ".join(f"{i}pos ( {number_text(k['position'])} ) {i}value ( {number_text(k['value'])} ) "
                            f"{i}interp ( {k['interpolation']} )" for i, k in enumerate(p["default"], 1))
            rule = [line for line in self.blocks[token] if line.strip().startswith("disablewhen")]
            self.types[token] = "ramp_flt"
            self.blocks[token] = ["parm {", f"    name        {quoted(token)}", f"    label       {quoted(p['label'])}",
                                  "    type        ramp_flt", f"    default     {{ \"{len(p['default'])}\" }}",
                                  "    range       { 1! 10 }",
                                  f"    parmtag     {{ \"rampfloatdefault\" {quoted(keys)} }}",
                                  *rule, f"    help        {quoted(p['help'])}", "}"]
