

def mask_menu(kwargs):
    """Names of the attributes of points and primitives that can be a mask: single numbers."""
    inputs = kwargs["node"].inputs()
    geometry = inputs[0].geometry() if inputs and inputs[0] is not None else None
    if geometry is None:
        return []
    attributes = [*geometry.pointAttribs(), *geometry.primAttribs()]
    names = sorted({a.name() for a in attributes if a.size() == 1 and a.dataType() == hou.attribData.Float})
    return [word for name in names for word in (name, name)]
