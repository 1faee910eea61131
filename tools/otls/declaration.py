"""What the solver declares, asked from the dashpot program: parameters, their dialogs, presets."""
import json
import re
import subprocess

from . import dialog


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def number_text(value):
    return f"{value:.15g}"


def ramp_keys(parm):
    """The keys that a ramp of a dialog begins with."""
    text = next(tag[0].words()[1] for tag in parm.all("parmtag") if tag[0].words()[0] == "rampfloatdefault")
    keys = re.findall(r"\d+pos \( (\S+) \) \d+value \( (\S+) \) \d+interp \( (\S+) \)", text)
    return [{"position": float(place), "value": float(value), "interpolation": word} for place, value, word in keys]


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
        self.ramps = {p.text("name"): ramp_keys(p) for p in dialog.parms(self.tree) if p.text("type") == "ramp_flt"}
        self.preset_tokens = [token for part in ("values", "ranges", "ramps") for token in self.presets[0][part]]

    def components(self, token):
        """Channel of a parameter of the solver node to its default."""
        if self.types[token] == "vector":
            return dict(zip((token + axis for axis in "xyz"), self.parameters[token]["default"]))
        if token in self.pairs:
            return {f"{token}{number}": value for number, value in enumerate(self.pairs[token], 1)}
        return {token: None}
