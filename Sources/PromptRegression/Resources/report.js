(function(){
var cases=[].slice.call(document.querySelectorAll('details.case')),find=document.getElementById('find'),
only=document.getElementById('only'),all=document.getElementById('all'),at=-1;
function shown(){return cases.filter(function(c){return !c.hidden})}
function update(){var words=find.value.toLowerCase().split(/\s+/).filter(Boolean);
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
