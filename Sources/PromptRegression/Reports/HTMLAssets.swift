/// The page's look and its few lines of behaviour. Without the script everything can still be read.
enum HTMLAssets {
    static let style = """
        :root{--back:#fbfbfa;--card:#fff;--text:#1d2126;--soft:#626b76;--line:#dfe2e6;--good:#1a7f4b;--bad:#c0362c;
        --goodback:#e3f4ea;--badback:#fdeceb;--goodmark:#a9dfc0;--badmark:#f6bcb6;--accent:#2457c5}
        @media (prefers-color-scheme:dark){:root{--back:#14171b;--card:#1b1f25;--text:#e3e6ea;--soft:#98a2ae;
        --line:#313841;--good:#4fc98a;--bad:#ff8379;--goodback:#16301f;--badback:#3a1d1c;--goodmark:#1f6b40;
        --badmark:#7d2d28;--accent:#8ab0ff}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:1200px;padding:24px 20px 80px;background:var(--back);color:var(--text);
        font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        h1{font-size:1.5rem;margin:0 0 4px;display:flex;gap:12px;align-items:center}
        h2{font-size:1.05rem;margin:0 0 8px}h3{font-size:1rem;font-weight:600;margin:0 0 6px}
        h4{margin:12px 0 4px;color:var(--soft);font-size:.8rem;text-transform:uppercase;letter-spacing:.06em}
        .badge{font-size:.95rem;border-radius:6px;padding:3px 12px}
        .badge.pass{background:var(--goodback);color:var(--good)}.badge.fail{background:var(--badback);color:var(--bad)}
        .headline{margin:0 0 12px;color:var(--soft)}
        .bar{display:flex;height:6px;border-radius:3px;overflow:hidden;background:var(--line)}
        .bar .pass{background:var(--good)}.bar .fail{background:var(--bad)}
        .tools{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:center;margin:14px 0;color:var(--soft)}
        input[type=search]{font:inherit;padding:4px 10px;min-width:16em;border:1px solid var(--line);border-radius:6px;
        background:var(--card);color:var(--text)}
        button{font:inherit;padding:4px 12px;border:1px solid var(--line);border-radius:6px;background:var(--card);
        color:var(--text);cursor:pointer}
        .keys{font-size:.85rem}kbd{border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--card);
        font:.85em ui-monospace,monospace}
        .overview{border-collapse:collapse;width:100%;margin:0 0 20px}
        .overview th{text-align:left;padding:6px 16px 6px 0;vertical-align:top;white-space:nowrap}
        .overview td{padding:6px 12px 6px 0;vertical-align:top}.count{color:var(--soft);font-variant-numeric:tabular-nums}
        .chip{display:inline-block;text-decoration:none;border-radius:999px;padding:1px 10px;margin:0 2px 4px 0;
        font-size:.87rem}.chip.pass{background:var(--goodback);color:var(--good)}
        .chip.fail{background:var(--badback);color:var(--bad);font-weight:600}
        .files,.case{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:0 0 10px}
        .files{padding:14px 18px;border-left:4px solid var(--bad)}
        .case.fail{border-left:4px solid var(--bad)}.case.pass{border-left:4px solid var(--good)}
        .case>summary{display:flex;gap:12px;padding:10px 16px;cursor:pointer;list-style:none}
        .case>summary::-webkit-details-marker{display:none}
        .case:target,.case.now{outline:2px solid var(--accent);outline-offset:1px}
        :focus-visible{outline:2px solid var(--accent);outline-offset:2px}
        .mark{font-weight:700}.pass .mark{color:var(--good)}.fail .mark{color:var(--bad)}
        .state{color:var(--soft);font-size:.87rem;margin-left:6px}.fail .state{color:var(--bad)}
        .what{color:var(--soft)}.tag{border:1px solid var(--line);border-radius:999px;padding:0 8px;font-size:.78rem;
        color:var(--soft)}
        .body{padding:0 16px 14px}.finding{border-top:1px solid var(--line);padding:12px 0}
        .kind{background:var(--badback);color:var(--bad);border-radius:4px;padding:1px 8px;font-size:.82rem;
        margin-right:4px}
        ul{margin:4px 0 8px;padding-left:22px}
        code,pre,.diff{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--back);border:1px solid var(--line);
        border-radius:6px;padding:10px 12px;margin:4px 0 10px;max-height:34em;overflow:auto}
        .command{background:var(--back);border:1px solid var(--line);border-radius:5px;padding:2px 8px;user-select:all}
        .does{margin:8px 0 0;color:var(--soft)}
        .scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;margin:6px 0}
        .diff{border-collapse:collapse;width:100%;table-layout:fixed;min-width:720px}
        .diff col.n{width:4.2em}.diff th{text-align:left;padding:5px 10px;background:var(--back);color:var(--soft);
        font-weight:600;border-bottom:1px solid var(--line)}
        .diff td{padding:0 8px;vertical-align:top;white-space:pre-wrap;overflow-wrap:anywhere}
        .diff td.n{color:var(--soft);text-align:right;user-select:none;border-right:1px solid var(--line)}
        .diff td.del{background:var(--badback)}.diff td.ins{background:var(--goodback)}
        .diff td.empty{background:repeating-linear-gradient(135deg,transparent 0 6px,var(--line) 6px 7px);opacity:.5}
        .diff del,.diff ins{text-decoration:none;border-radius:2px}
        .diff del{background:var(--badmark)}.diff ins{background:var(--goodmark)}
        .gap td{text-align:center;color:var(--soft);background:var(--back);border:solid var(--line);border-width:1px 0}
        .part{margin:8px 0 0}.part>summary{cursor:pointer;color:var(--accent)}.note{color:var(--soft);margin-left:6px}
        .skipped{border-left:3px solid var(--accent);padding:2px 10px;margin:10px 0;color:var(--soft);overflow-wrap:anywhere}
        #none{color:var(--soft)}h3,.does{overflow-wrap:anywhere}
        @media (max-width:640px){body{padding:16px 12px 60px}.keys{display:none}
        .overview tr,.overview th,.overview td{display:block;padding:0}.overview tr{margin-bottom:12px}
        .overview th,.overview .count{display:inline-block;padding:0 8px 4px 0}input[type=search]{min-width:0;width:11em}}
        @media print{.tools{display:none}}
        """

    static let script = """
        (function(){
        var cases=[].slice.call(document.querySelectorAll('details.case')),find=document.getElementById('find'),
        only=document.getElementById('only'),all=document.getElementById('all'),at=-1;
        function shown(){return cases.filter(function(c){return !c.hidden})}
        function update(){var words=find.value.toLowerCase().split(/\\s+/).filter(Boolean);
        cases.forEach(function(c){var text=c.textContent.toLowerCase();
        c.hidden=(only.checked&&c.classList.contains('pass'))||!words.every(function(w){return text.indexOf(w)>=0})});
        document.getElementById('none').hidden=shown().length>0||!cases.length;at=-1}
        function go(step){var list=shown();if(!list.length)return;
        at=Math.max(0,Math.min(list.length-1,at+step));cases.forEach(function(c){c.classList.remove('now')});
        var c=list[at];c.classList.add('now');c.querySelector('summary').focus({preventScroll:true});
        c.scrollIntoView({block:'start',behavior:'smooth'})}
        find.addEventListener('input',update);only.addEventListener('change',update);
        all.addEventListener('click',function(){var open=shown().some(function(c){return !c.open});
        shown().forEach(function(c){c.open=open});all.textContent=open?'Close all':'Open all'});
        window.addEventListener('hashchange',function(){var c=document.getElementById(location.hash.slice(1));
        if(c&&c.tagName==='DETAILS')c.open=true});
        document.addEventListener('keydown',function(e){
        if(e.ctrlKey||e.metaKey||e.altKey)return;
        if(e.target===find){if(e.key==='Escape'){find.value='';update();find.blur()}return}
        if(e.key==='j')go(1);else if(e.key==='k')go(-1);
        else if(e.key==='o'){var c=shown()[at];if(c)c.open=!c.open}
        else if(e.key==='f'){only.checked=!only.checked;update()}
        else if(e.key==='/'){find.focus();e.preventDefault()}});
        })();
        """
}
