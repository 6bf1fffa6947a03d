^mapping\.json:[0-9]+: application 'app\.dot' has changed since this mapping was made .*; expected the same bytes, or --app FILE to take it all the same$
