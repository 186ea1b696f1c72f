"""From the user's tree to core Python: an abstract run over kinds that writes core statements as it goes."""
