BEGIN TOOL.T MM
T     NAME                             L            R            R2
3     END MILL 10 MM                   +141         +5           +0
12    DRILL D6.8 LONG. OF A SHOP THAT  +169.25      +3.4         +0
130                                    +0.333       +6           +0.5
[END]
