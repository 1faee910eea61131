# The same with hbatch and a ROP, for farms that only know hip files:
#     hbatch -R -e OUT=/out/softbody -e FIRST=1 -e LAST=240 -c "source farm/houdini_sim.cmd" shot.hip
# One job, frames in order (-I would interleave with other ROPs). render -f is trimmed to the range that the ROP itself
# has, unless that is off.
opparm $OUT trange ( 0 ) alfprogress ( 1 ) initsim ( 1 )
render -V -f $FIRST $LAST $OUT
if ( $status != 0 ) then
    quit 1
endif
quit
