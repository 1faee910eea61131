"""Our assets against the rules that public assets keep."""
from ..real.rule import RULES


def check_real(asset, known, faults):
    for name, rule in RULES.items():
        counted = known["rules"][name]
        for kept, what in rule.cases(asset, known):
            if not kept:
                faults.add(asset.folder, f"{what}: {rule.sentence} ({counted['kept']} of {counted['cases']} in "
                                         f"{counted['assets']} public assets) [{name}]")

