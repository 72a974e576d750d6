'use strict';
(() => {
  const firstPauseMs = 2000;
  const longestPauseMs = 15000;
  const leaveAfterMs = 5000;
  const news = document.getElementById('news');
  let leftUntilMs = 0;
  let pauseMs = firstPauseMs;
  let timer = 0;

  function begin() {
    const copy = document.getElementById('copy');
    if (copy) {
      copy.hidden = false;
      copy.addEventListener('click', () => void copyCode(copy));
    }
    const print = document.getElementById('print');
    if (print) {
      print.hidden = false;
      print.addEventListener('click', () => window.print());
    }
    const qr = document.getElementById('qr');
    if (qr && window.matchMedia('(max-width: 30rem)').matches) qr.open = false;
    const countdown = document.getElementById('countdown');
    if (countdown) leftUntilMs = performance.now() + Number(countdown.dataset.left) * 1000;
  }

  async function copyCode(button) {
    const { copy: value, copied, label = button.textContent } = button.dataset;
    button.dataset.label = label;
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(document.getElementById('code'));
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      if (!document.execCommand('copy')) return;
    }
    button.textContent = copied;
    say(copied);
    setTimeout(() => (button.textContent = label), 2500);
  }

  function tick() {
    const countdown = document.getElementById('countdown');
    if (!countdown) return;
    const left = Math.max(0, Math.round((leftUntilMs - performance.now()) / 1000));
    document.getElementById('time').hidden = left > Number(countdown.dataset.shown);
    countdown.textContent = [Math.floor(left / 60), left % 60].map((part) => String(part).padStart(2, '0')).join(':');
  }

  async function look() {
    const shown = document.getElementById('deposit');
    if (!shown?.dataset.status) return;
    if (document.hidden) return plan();
    try {
      const answer = await fetch(shown.dataset.status, { headers: { accept: 'application/json' } });
      if (answer.ok) {
        const { state, received } = await answer.json();
        if (state !== shown.dataset.state || String(received) !== shown.dataset.received) await show();
      }
    } catch {
      // Without a network nothing is known yet: the next poll asks again.
    }
    plan();
  }

  async function show() {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    document.querySelector('main').replaceWith(document.adoptNode(fresh.querySelector('main')));
    document.title = fresh.title;
    pauseMs = firstPauseMs;
    begin();
    leaveSoon();
    const heading = document.querySelector('.ended h1');
    const notice = document.querySelector('.notice');
    if (heading) heading.focus();
    say((notice || heading || document.querySelector('h1')).textContent);
  }

  /** Only a payment that was seen to arrive takes the payer away: a receipt that is opened later stays open. */
  function leaveSoon() {
    const leaving = document.getElementById('leaving');
    if (!leaving) return;
    leaving.hidden = false;
    const timeout = setTimeout(() => location.assign(document.getElementById('back').href), leaveAfterMs);
    document.getElementById('stay').addEventListener('click', () => {
      clearTimeout(timeout);
      leaving.hidden = true;
    });
  }

  function say(text) {
    news.textContent = '';
    news.textContent = text;
  }

  function plan() {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), pauseMs * (0.8 + Math.random() * 0.4));
    pauseMs = Math.min(pauseMs * 1.3, longestPauseMs);
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    pauseMs = firstPauseMs;
    clearTimeout(timer);
    void look();
  });
  setInterval(tick, 1000);
  begin();
  plan();
})();
