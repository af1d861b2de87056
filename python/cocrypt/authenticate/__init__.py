"""The mutual-authentication network: firmware of three roles, its model, attackers, and crowds.

The protocol is in studies/authentication/README.md. `scenario` builds a study's network,
`handshake` runs it and compares it with the model; `pairs`, `attacks` and `crowd` run many.
"""
