# Headers such as Eigen's take longer to parse than most of our files to compile. With DASHPOT_UNITY
# the files of a room are compiled as one; names in unnamed namespaces are unique within a room.
function(dashpot_rooms target)
  if(NOT DASHPOT_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(room ${folder} NAME)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${room})
  endforeach()
endfunction()
