#include "../diagnostics"

active proctype p() {
    skip
}
