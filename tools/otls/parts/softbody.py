

def reset(kwargs):
    kwargs["node"].node("solver").parm("resimulate").pressButton()
