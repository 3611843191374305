# SPDX-License-Identifier: Apache-2.0
"""Formulas as the documentation writes them in plain text, as HTML that needs nothing else: `M^-1 sum_d D_d phi` with letters and indices."""

import html
import re

WORDS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eps": "ε", "theta": "θ", "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "omega": "ω", "sum": "∑", "integral": "∫", "grad": "∇", "sqrt": "√", "infinity": "∞",
}
MARKS = {"<=": "≤", ">=": "≥", "->": "→", "<-": "←", "+-": "±", "...": "…"}
TOKEN = re.compile(r"(?P<word>[A-Za-z]+)|(?P<index>[_^](?:\{[^}]*\}|[+-]?\w+|[+*-]))|(?P<mark><=|>=|->|<-|\+-|\.\.\.)|(?P<dot> \. )|(?P<other>.)", re.DOTALL)


def formula_html(text):
    parts = []
    for match in TOKEN.finditer(text):
        if word := match["word"]:
            if word in WORDS:
                parts.append(WORDS[word])
            elif len(word) == 1:
                parts.append(f"<i>{word}</i>")
            else:
                parts.append(word)
        elif index := match["index"]:
            tag = "sub" if index[0] == "_" else "sup"
            # A minus sign, where an exponent has one.
            inner = formula_html(index[1:].strip("{}")).replace("-", "−")
            parts.append(f"<{tag}>{inner}</{tag}>")
        elif mark := match["mark"]:
            parts.append(MARKS[mark])
        elif match["dot"]:
            parts.append(" · ")
        else:
            parts.append(html.escape(match["other"], quote=False))
    return "".join(parts)
