name = 'beside'
