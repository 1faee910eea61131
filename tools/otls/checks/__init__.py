"""What must hold for Houdini to load the assets, told from the files alone: nothing here knows how they were made."""
