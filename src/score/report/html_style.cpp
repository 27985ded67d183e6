// The regions differ in lightness and hatching as well as in hue; the colours of the systems follow Okabe and Ito's
// palette for the colour-blind (https://jfly.uni-koeln.de/color/), darkened on white for contrast.

#include "score/report/html_style.hpp"

namespace trustsql {

std::string_view html_style() {
  return R"css(
:root{color-scheme:light dark;--ink:#1b232d;--muted:#58636f;--rule:#d5dbe1;--grid:#e4e8ec;--paper:#fff;--panel:#f6f8f9;--shade:#1b232d59;--hatch:#ffffffb0;
--r1:#1b7f5c;--r5:#7cc9a6;--r2:#f3d85f;--r3:#c2452b;--r4:#8f2433;--yes:#1b7f5c14;--no:#c2452b14;
--s0:#0067a5;--s1:#c94f00;--s2:#00805d;--s3:#b4528d;--s4:#1a7aab;--s5:#946200;--s6:#6a4c9c}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaee;--muted:#9ba7b3;--rule:#3a444e;--grid:#2a323a;--paper:#14191e;--panel:#1b2127;--shade:#ffffff40;--hatch:#ffffff70;
--r1:#1f8561;--r5:#8fd6b6;--r2:#e8cd57;--r3:#c24a33;--r4:#b53f53;--yes:#2f9d752e;--no:#d8604a26;
--s0:#5aa9e0;--s1:#f0803c;--s2:#3fbf97;--s3:#dc8abb;--s4:#86cdf0;--s5:#e6b04a;--s6:#a893da}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:68rem;padding:1.5rem 1rem 3rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .4rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;line-height:1.3;margin:2.6rem 0 .5rem;padding-top:.9rem;border-top:1px solid var(--rule)}
h3{font-size:1rem;margin:1.6rem 0 .3rem;overflow-wrap:anywhere}
p{margin:.4rem 0 .8rem;max-width:46rem}
.lede,figcaption,caption,footer,.note{color:var(--muted)}
.note{font-size:.85rem;line-height:1.4}
.tables{display:flex;flex-wrap:wrap;gap:0 3rem;align-items:start}
.tables caption{color:var(--ink);font-weight:650}
footer{margin-top:3rem;border-top:1px solid var(--rule);padding-top:.6rem;font-size:.8rem;overflow-wrap:anywhere}
a{color:inherit}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:2rem 2.5rem;align-items:start}
figure{margin:.6rem 0 0;max-width:32rem}
figcaption{font-size:.85rem;line-height:1.4;margin-top:.4rem}
figcaption b{color:var(--ink)}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{font-size:11px;fill:var(--muted);font-family:inherit}
svg .mid{text-anchor:middle}svg .end{text-anchor:end}
svg .name{fill:var(--ink)}svg .strong{fill:var(--ink);font-weight:600}svg .title{fill:var(--ink)}
svg .note,svg .in{font-size:10px}
svg .grid{stroke:var(--grid)}svg .zero,svg .axis{stroke:var(--muted)}svg .tick{stroke:var(--muted)}
svg .mark{stroke:var(--muted);stroke-dasharray:1 3}
svg .positive,svg .answered{fill:var(--yes)}svg .abstained{fill:var(--no)}
svg .threshold{stroke:var(--ink);stroke-width:1.4;stroke-dasharray:5 3}
svg .frame{fill:none;stroke:var(--ink);stroke-opacity:.35;stroke-width:.6}
svg .hatch{fill:none;stroke:var(--hatch);stroke-width:1.1}
svg .curve{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round}
svg .dot{fill:currentColor;stroke:var(--paper);stroke-width:.8}
svg .leader{fill:none;stroke:currentColor;stroke-width:.7;stroke-opacity:.6;stroke-dasharray:1 1.5}
svg .cross{fill:none;stroke:var(--r3);stroke-width:1.5}
svg .r1{fill:var(--r1)}svg .r2{fill:var(--r2)}svg .r3{fill:var(--r3)}svg .r4{fill:var(--r4)}svg .r5{fill:var(--r5)}
svg .r1.in,svg .r3.in,svg .r4.in{fill:#fff;stroke:none}svg .r2.in,svg .r5.in{fill:#10251b}
svg .r3.in,svg .r4.in{paint-order:stroke;stroke-width:8px;stroke-linejoin:round}svg .r3.in{stroke:var(--r3)}svg .r4.in{stroke:var(--r4)}
.s0{color:var(--s0)}.s1{color:var(--s1)}.s2{color:var(--s2)}.s3{color:var(--s3)}.s4{color:var(--s4)}.s5{color:var(--s5)}.s6{color:var(--s6)}
.abstain{color:var(--muted)}svg .abstain.curve{stroke-dasharray:2 3}svg .abstain .name{font-style:italic}
.d1{stroke-dasharray:7 3}.d2{stroke-dasharray:2.5 2.5}.d3{stroke-dasharray:8 3 2 3}svg .dot,svg .solid{stroke-dasharray:none}
.scroll{overflow-x:auto;margin:.6rem 0 1rem;max-width:100%;background:
linear-gradient(to right,var(--paper) 40%,transparent) 0 0/3rem 100% no-repeat local,
linear-gradient(to left,var(--paper) 40%,transparent) 100% 0/3rem 100% no-repeat local,
linear-gradient(to right,var(--shade),transparent) 0 0/1rem 100% no-repeat scroll,
linear-gradient(to left,var(--shade),transparent) 100% 0/1rem 100% no-repeat scroll}
.scroll:focus-visible,a:focus-visible,summary:focus-visible,button:focus-visible{outline:2px solid var(--s0);outline-offset:1px}
.save{margin:.3rem 0 0;font-size:.75rem;position:sticky;left:0;width:max-content}
thead button{all:unset;cursor:pointer}thead button:focus-visible{outline:2px solid var(--s0)}
thead th button::after{content:"\2195";margin-left:.25em;color:var(--muted)}
thead th[aria-sort=ascending] button::after{content:"\2191"}thead th[aria-sort=descending] button::after{content:"\2193"}
thead th button small{display:block}
table{border-collapse:separate;border-spacing:0;font-size:.85rem;line-height:1.35;font-variant-numeric:tabular-nums}
caption{text-align:left;font-size:.85rem;padding-bottom:.4rem;max-width:min(46rem,calc(100vw - 2rem))}
th,td{padding:.28rem .6rem;text-align:right;vertical-align:baseline;white-space:nowrap}
thead th{border-bottom:1.5px solid var(--ink);vertical-align:bottom}
tbody th,tbody td{border-bottom:1px solid var(--grid)}
tbody:last-of-type tr:last-child>*{border-bottom:1.5px solid var(--ink)}
th:first-child{text-align:left;padding-left:0;position:sticky;left:0;background:var(--paper)}
tbody th{font-weight:500;max-width:24rem;white-space:normal;overflow-wrap:break-word}
tbody th[scope=rowgroup]{font-weight:650;padding-top:.8rem}
td small,th small{display:block;font-weight:400;color:var(--muted);font-size:.88em}
td strong{font-weight:700}
tr.abstain-all{font-style:italic}
th.keyed{padding-left:2.3rem}
svg.swatch{display:inline-block;width:1.9rem;height:.85rem;vertical-align:-.1em;margin-right:.4rem}
th.keyed{min-width:9rem}th.keyed svg.swatch{position:absolute;left:0;top:.45em;margin:0}
@media (max-width:40rem){tbody th[scope=row]{min-width:7rem;max-width:10rem;overflow-wrap:anywhere}th.keyed{padding-left:0}
th.keyed svg.swatch{position:static;display:block}}
svg.marks{position:absolute;width:0;height:0}
details{border-bottom:1px solid var(--grid)}details.system{border-color:var(--rule)}details.system>details{margin-left:1.2rem}
summary{cursor:pointer;padding:.35rem 0;overflow-wrap:anywhere}details details>summary{font-size:.9rem}
.kind{color:var(--muted);font-size:.85em;white-space:nowrap}
dl{margin:.2rem 0 1rem 1.1rem;font-size:.85rem}dt{font-weight:650;margin-top:.5rem}dd{margin:0}
pre{margin:.15rem 0;padding:.45rem .6rem;background:var(--panel);white-space:pre-wrap;overflow-wrap:anywhere;border-radius:4px}
code{font:.95em/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media print{
@page{margin:14mm}
:root{color-scheme:light;--ink:#000;--muted:#444;--rule:#999;--grid:#ddd;--paper:#fff;--hatch:#ffffffc0;
--r1:#1b7f5c;--r5:#7cc9a6;--r2:#f3d85f;--r3:#c2452b;--r4:#8f2433;--yes:#1b7f5c18;--no:#c2452b18;
--s0:#0067a5;--s1:#c94f00;--s2:#00805d;--s3:#b4528d;--s4:#1a7aab;--s5:#946200;--s6:#6a4c9c}
body{font-size:10pt;max-width:none;padding:0;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.figures{grid-template-columns:1fr 1fr;gap:6mm}
.scroll{overflow:visible;break-inside:avoid;background:none}.save{display:none}footer{margin-top:1rem}
th:first-child{position:relative}
table{font-size:7.5pt}th,td{padding:.1rem .3rem}caption,figcaption,.note{font-size:8pt}.tables{gap:0 8mm}th:first-child{background:none}
h2{margin-top:1.4rem}h2,h3,caption{break-after:avoid}figure,tr,tbody{break-inside:avoid}thead{display:table-header-group}
}
)css";
}

}  // namespace trustsql
