"""What a chapter shows on its slides, by rule and by choice; a deck's page, style and script."""
