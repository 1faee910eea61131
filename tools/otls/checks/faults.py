"""Sentences about what is wrong, each with its place."""


class Faults(list):
    def add(self, where, what):
        self.append(f"{where}: {what}")
