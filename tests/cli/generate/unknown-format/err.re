^inlay: unknown format 'xyz'; expected one of dot, 
