chan global[200] = [1] of { byte };

active [2] proctype p() {
    chan mine[50] = [1] of { byte };
    mine[0]!1
}
