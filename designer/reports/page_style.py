"""The look of the HTML report: light, printable on A4, one file without outside references."""

CSS = """
:root{--text:#17202E;--text2:#465264;--text3:#5D697A;--border:#D9DEE5;--window:#F1F3F6;
--accent:#1B5FC1;--ib:#23446F;--roce:#9A5608;--warn:#8A5200;--warnTint:#FDF3DC;--err:#B3261E;
--errTint:#FBE4E1;--ok:#12705F}
*{box-sizing:border-box}
body{margin:0;background:#FBFCFD;color:var(--text);font:13px/1.45 Inter,system-ui,"Segoe UI",
Roboto,sans-serif;font-feature-settings:"tnum"}
main{max-width:880px;margin:0 auto;padding:32px 36px 48px;background:#fff}
header.top{display:flex;justify-content:space-between;align-items:center;padding-bottom:14px;
border-bottom:1px solid var(--border);color:var(--text2)}
header.top b{font-size:17px;color:var(--text)}
header.top svg{vertical-align:-5px;margin-right:8px}
h1{font-size:24px;line-height:1.25;font-weight:600;margin:6px 0}
h2{font-size:19px;font-weight:600;margin:36px 0 10px;display:flex;justify-content:space-between;
align-items:baseline}
h2 small,.note{font-size:12px;font-weight:400;color:var(--text2)}
h3{font-size:13px;font-weight:600;margin:18px 0 6px;color:var(--text2)}
.eyebrow{font-weight:600;color:var(--text2);margin:18px 0 0}
.lead{color:var(--text2);font-size:15px;margin:0 0 18px}
.answer{display:flex;flex-wrap:wrap;gap:24px;background:var(--window);border:1px solid
var(--border);border-left:6px solid var(--text2);border-radius:8px;padding:18px 22px}
.answer.infiniband{border-left-color:var(--ib)}.answer.rocev2{border-left-color:#C4741A}
.answer>div{flex:1 1 260px;min-width:0}
.answer .big{font-size:28px;font-weight:600;line-height:1.2;margin:2px 0 8px}
.figures{display:flex;gap:24px;margin:20px 0}
.figures>div{flex:1;border-left:1px solid var(--border);padding-left:14px}
.figures>div:first-child{border:0;padding:0}
.figures .big{font-size:22px;font-weight:600}
.label{font-weight:600;color:var(--text2)}
figure{margin:0;border:1px solid var(--border);border-radius:8px;padding:12px;text-align:center}
figure svg{max-width:100%;height:auto}
figcaption{text-align:left;margin-top:8px;color:var(--text2)}
svg.chart{max-width:100%;height:auto;display:block}
table{border-collapse:collapse;width:100%}
th,td{padding:5px 8px;text-align:left;border-bottom:1px solid var(--border);vertical-align:top}
th{font-weight:600;color:var(--text2);background:var(--window)}
td.src{font-size:11px;color:var(--text2)}td.src.assumed{color:var(--warn)}
td.n,th.n{text-align:right;white-space:nowrap}
td.t{font-weight:600}
tr.sum td{font-weight:600;border-top:2px solid #7F8897}
tr.group td{background:var(--window);font-weight:600;color:var(--text2)}
td small{display:block;color:var(--text2);font-size:11px}
.ib{color:var(--ib)}.roce{color:var(--roce)}.assumed{color:var(--warn)}
.card{background:var(--warnTint);border-radius:8px;padding:12px 16px;margin:18px 0}
.card.error{background:var(--errTint)}
.card b{display:block}
.sev{font-weight:600;white-space:nowrap}.sev.error{color:var(--err)}.sev.warning{color:var(--warn)}
.sev.info{color:var(--text2)}
ul{padding-left:18px}li{margin:3px 0}
footer{margin-top:40px;padding-top:10px;border-top:1px solid var(--border);color:var(--text2);
font-size:11px}
@media print{body{background:#fff}main{max-width:none;padding:0}h2{break-after:avoid}
tr,figure,.answer,.card{break-inside:avoid}@page{size:A4;margin:14mm}}
"""
