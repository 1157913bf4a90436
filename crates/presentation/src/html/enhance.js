// Only enhances: folds for print, sorting by a click on a heading. Everything is there without it.
addEventListener("beforeprint",()=>document.querySelectorAll("details:not([open])").forEach(d=>{d.open=true;d.dataset.p=1}));
addEventListener("afterprint",()=>document.querySelectorAll("details[data-p]").forEach(d=>{d.open=false;delete d.dataset.p}));
document.querySelectorAll("a[href^='#']").forEach(a=>a.addEventListener("click",()=>{const t=document.getElementById(a.hash.slice(1));for(let e=t;e;e=e.parentElement)if(e.tagName==="DETAILS")e.open=true}));
document.querySelectorAll("th.n").forEach(th=>{th.style.cursor="pointer";th.addEventListener("click",()=>{const b=th.closest("table").tBodies[0],i=th.cellIndex,v=r=>{const c=r.cells[i],n=c?parseFloat(c.textContent.replace(/,/g,"")):NaN;return isNaN(n)?-Infinity:n};[...b.rows].filter(r=>!r.matches(".more")).sort((p,q)=>v(q)-v(p)).forEach(r=>b.insertBefore(r,b.querySelector(".more")))})});
