[
"fileversion","16.5.268",
"hasindex",false,
"pointcount",0,
"vertexcount",0,
"primitivecount",0,
"info",{"software":"Dashpot's samples","time":0},
"topology",["pointref",["indices",[]]],
"attributes",[
 "pointattributes",[
  [["scope","public","type","numeric","name","P","options",{"type":{"type":"string","value":"point"}}],
   ["size",3,"storage","fpreal32","defaults",["size",1,"storage","fpreal64","values",[0]],"values",["size",3,"storage","fpreal32","tuples",[]]]]]]
]
