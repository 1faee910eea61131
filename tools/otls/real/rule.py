"""A rule: a sentence, and a function that says of each case in an asset whether it is kept."""
RULES = {}


class Rule:
    def __init__(self, name, sentence, cases):
        self.name, self.sentence, self._cases = name, sentence, cases

    def cases(self, asset, facts):
        """(kept, what it is about) for each place of the asset that the rule speaks of."""
        return list(self._cases(asset, facts))


def rule(sentence):
    def register(function):
        RULES[function.__name__] = Rule(function.__name__, sentence, function)
        return function
    return register
