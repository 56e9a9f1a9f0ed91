"""The probing task (appendix D.4): does a belief know which things are related, and how?"""
