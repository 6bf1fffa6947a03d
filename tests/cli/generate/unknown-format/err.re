^inlay: unknown format 'xyz'; expected one that 'inlay --version' lists
