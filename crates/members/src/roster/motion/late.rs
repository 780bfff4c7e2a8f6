//! Motions that take longer than planned: a move pauses between two nodes, or a stay is prolonged.

use giveway_core::{Digest, Entry, FOREVER, Garbled, Span, Tick, Ticks, WordReader, Words};

use super::{Motion, Swept, bits};
use crate::leg::Leg;

impl Motion {
    /// Makes the move under way stand still for `ticks` from `now` on. It then occupies what [`after_pause`] says.
    #[inline]
    pub fn pause(&mut self, now: Tick, ticks: Ticks) {
        let swept: Vec<Entry> = after_pause(self.swept(), now, ticks).collect();
        self.swept = Swept::Others(swept);
        self.last.arrive = self.last.arrive.saturating_add(ticks);
        let rare = self.rare.get_or_insert_default();
        match rare.pauses.last_mut().filter(|last| last.end >= now) {
            Some(last) => last.end = last.end.saturating_add(ticks),
            None => rare.pauses.push(Span::lasting(now, ticks)),
        }
    }

    /// Holds the agent, which is not under way, where it stands during `span`. Beside what is left of its last move it
    /// occupies `room`, in place of `room_before` of a shorter stay.
    #[inline]
    pub fn stay(&mut self, span: Span, room: &[Entry], room_before: &[Entry]) {
        let mut swept = self.swept().to_vec();
        swept.retain(|entry| !room_before.contains(entry));
        swept.extend_from_slice(room);
        self.swept = Swept::Others(swept);
        self.is_moving = true;
        self.rare.get_or_insert_default().stays = Some(span);
    }

    /// When the agent is held where it stands; `None`: it is not.
    #[inline]
    pub fn stays(&self) -> Option<Span> {
        self.rare.as_ref()?.stays
    }

    /// The tick until which the agent is held where it stands; `None`: it is not.
    #[inline]
    pub fn stays_until(&self) -> Option<Tick> {
        self.stays().map(|span| span.end)
    }

    /// The tick until which the agent is held at `now`, where it stands or on its way; `None`: it is not.
    #[inline]
    pub fn held_until(&self, now: Tick) -> Option<Tick> {
        let on_its_way = || self.pauses().last().map(|last| last.end);
        self.stays_until().or_else(on_its_way).filter(|until| *until > now)
    }

    /// Ends a stay that is over at `now`.
    #[cold]
    #[inline]
    pub(super) fn end_stay(&mut self, now: Tick) {
        if let Some(rare) = &mut self.rare
            && rare.stays.is_some_and(|span| span.end <= now)
        {
            (rare.stays, rare.stays_as) = (None, None);
            self.is_moving = false;
        }
    }

    /// Ends the move under way. Returns it as it was planned.
    #[inline]
    pub fn end(&mut self) -> Leg {
        self.is_moving = false;
        self.as_planned()
    }

    /// Whether the moves of the agent end only when that is told.
    #[inline]
    pub fn is_reported(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.is_reported)
    }

    /// Lets the moves of the agent end only when that is told, or when they were to end. What was told before no longer
    /// counts.
    #[inline]
    pub fn set_reported(&mut self, is_reported: bool) {
        if self.is_reported() != is_reported {
            let rare = self.rare.get_or_insert_default();
            (rare.is_reported, rare.is_done) = (is_reported, false);
        }
    }

    /// Whether the move under way ends only when that is told, and that was not told yet.
    #[inline]
    pub(super) fn awaits_report(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.is_reported && !rare.is_done)
    }

    /// Whether the move under way was to end by `now`, but does not end before that is told.
    #[inline]
    pub fn is_overdue(&self, now: Tick) -> bool {
        self.is_moving && self.stays().is_none() && self.last.arrive <= now && self.awaits_report()
    }

    /// Notes that the move under way is done: it ends when it was to end.
    #[inline]
    pub fn note_done(&mut self) {
        if let Some(rare) = &mut self.rare {
            rare.is_done = true;
        }
    }

    /// When the agent is held on its last move, in ascending order.
    #[inline]
    pub fn pauses(&self) -> &[Span] {
        self.rare.as_ref().map_or(&[], |rare| &rare.pauses)
    }

    /// The last move without its pauses.
    #[inline]
    pub fn as_planned(&self) -> Leg {
        self.last.ended_at(self.last.arrive - paused(self.pauses()))
    }

    /// Whether the agent was held on its last move, or is held where it stands, or its moves end only when that is
    /// told.
    #[inline]
    pub(super) fn is_late(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.stays.is_some() || !rare.pauses.is_empty() || rare.is_reported)
    }

    /// Adds the pauses to `digest`.
    #[cold]
    #[inline]
    pub(super) fn feed_lateness(&self, digest: &mut Digest) {
        digest.word(self.flags());
        self.stays().iter().for_each(|span| digest.pair(span.start, span.end));
        self.pauses().iter().for_each(|pause| digest.pair(pause.start, pause.end));
    }

    /// Whether `entries`, which the last move was to occupy, are with its pauses what the motion still occupies at
    /// `now`; `room`: what its stay occupies.
    #[inline]
    pub fn is_left_of(&self, entries: &[Entry], room: &[Entry], now: Tick) -> bool {
        let mut entries = entries.to_vec();
        for Span { start, end } in self.pauses() {
            entries = after_pause(&entries, *start, end - start).collect();
        }
        entries.iter().chain(room).filter(|entry| entry.span.end > now).eq(self.swept())
    }

    /// Whether the agent is held where it stands, whether its moves end only when that is told, and whether that was
    /// told of the last one.
    #[inline]
    fn flags(&self) -> u64 {
        let is_done = self.rare.as_ref().is_some_and(|rare| rare.is_done);
        bits([self.stays().is_some(), self.is_reported(), is_done]).into()
    }

    /// Appends the pauses to `words`.
    pub(super) fn write_lateness(&self, now: Tick, words: &mut Words) {
        words.flag(self.is_late());
        if self.is_late() {
            words.word(self.flags());
            if let Some(span) = self.stays() {
                words.difference(now, span.start);
                words.difference(now, span.end);
            }
            words.size(self.pauses().len());
            let mut before = self.last.depart;
            for pause in self.pauses() {
                words.difference(before, pause.start);
                words.difference(pause.start, pause.end);
                before = pause.end;
            }
        }
    }

    /// Reads the pauses.
    pub(super) fn read_lateness(&mut self, now: Tick, words: &mut WordReader<'_>) -> Result<(), Garbled> {
        if !words.flag()? {
            return Ok(());
        }
        let flags = words.at_most(7)?;
        let [is_held, is_reported, is_done] = [1, 2, 4].map(|flag| flags & flag != 0);
        let stays = if is_held { Some(Span::new(words.difference(now)?, words.difference(now)?)) } else { None };
        let mut pauses: Vec<Span> = Vec::new();
        let mut before = self.last.depart;
        for _ in 0..words.count()? {
            let start = words.difference(before)?;
            let end = words.difference(start)?;
            let is_in_order = if pauses.is_empty() { start >= before } else { start > before };
            if !is_in_order || start >= end || start > now {
                return Err(Garbled::new("a pause of a move"));
            }
            pauses.push(Span::new(start, end));
            before = end;
        }
        let last = &self.last;
        let is_within = u64::from(last.depart)
            + pauses.iter().map(|pause| u64::from(pause.end - pause.start)).sum::<u64>()
            < u64::from(last.arrive);
        let is_move = pauses.is_empty() || last.is_move() && is_within && before <= last.arrive;
        let is_stay = stays.is_none_or(|Span { start, end }| {
            self.is_moving && last.arrive <= start && start <= now && now < end && end < FOREVER
        });
        let is_late = !pauses.is_empty() || stays.is_some() || is_reported;
        if !is_move || !is_stay || !is_late || is_done && !is_reported {
            return Err(Garbled::new("a late motion"));
        }
        let rare = self.rare.get_or_insert_default();
        (rare.pauses, rare.stays, rare.is_reported, rare.is_done) = (pauses, stays, is_reported, is_done);
        Ok(())
    }
}

/// The ticks of all `pauses`.
#[inline]
pub fn paused(pauses: &[Span]) -> Ticks {
    pauses.iter().map(|pause| pause.end - pause.start).sum()
}

/// What a motion that was to occupy `entries` occupies if it stands still for `ticks` from `now` on: what it touches at
/// `now`, for as much longer, and then all of the rest as much later.
#[inline]
pub fn after_pause(entries: &[Entry], now: Tick, ticks: Ticks) -> impl Iterator<Item = Entry> {
    entries.iter().filter(move |entry| entry.span.end > now).map(move |entry| {
        let Span { start, end } = entry.span;
        let start = if start > now { start.saturating_add(ticks) } else { start };
        Entry { span: Span::new(start, end.saturating_add(ticks)), ..*entry }
    })
}
