//! Rooms and their members.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use examples::mailbox::Mailbox;

/// Lines for one member.
pub(crate) type Inbox = Mailbox<Arc<str>>;

/// The room that each client enters first.
const LOBBY: &str = "lobby";

/// All members, by their names.
#[derive(Debug, Default)]
pub(crate) struct Rooms(Mutex<Members>);

#[derive(Debug, Default)]
struct Members {
    members: BTreeMap<String, (String, Arc<Inbox>)>,
    closed: bool,
}

/// One who is there until this is dropped.
#[derive(Debug)]
pub(crate) struct Member {
    name: String,
    pub(crate) mailbox: Arc<Inbox>,
    rooms: Arc<Rooms>,
}

impl Rooms {
    fn lock(&self) -> MutexGuard<'_, Members> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a member. Returns `None` if the name is taken or the rooms are closed.
    pub(crate) fn enter(rooms: &Arc<Self>, name: &str) -> Option<Member> {
        let mailbox = Arc::new(Mailbox::default());
        let mut members = rooms.lock();
        if members.closed || members.members.contains_key(name) {
            return None;
        }
        let place = (LOBBY.to_owned(), Arc::clone(&mailbox));
        members.members.insert(name.to_owned(), place);
        members.tell(LOBBY, &format!("* {name} comes in\n"));
        Some(Member {
            name: name.to_owned(),
            mailbox,
            rooms: Arc::clone(rooms),
        })
    }

    /// Notifies all members of the end, and accepts no member from now on.
    pub(crate) fn close(&self, why: &str) {
        let mut members = self.lock();
        members.closed = true;
        let line: Arc<str> = format!("* {why}\n").into();
        for (_, mailbox) in members.members.values() {
            mailbox.put(Arc::clone(&line));
            mailbox.close();
        }
    }
}

impl Members {
    fn tell(&self, room: &str, line: &str) {
        let line: Arc<str> = line.into();
        let there = self.members.values().filter(|(their, _)| their == room);
        there.for_each(|(_, mailbox)| mailbox.put(Arc::clone(&line)));
    }

    fn room_of(&self, name: &str) -> String {
        let place = self.members.get(name);
        place.map_or_else(String::new, |(room, _)| room.clone())
    }
}

impl Member {
    pub(crate) fn say(&self, text: &str) {
        let members = self.rooms.lock();
        let room = members.room_of(&self.name);
        members.tell(&room, &format!("{}: {text}\n", self.name));
    }

    /// Goes to another room.
    pub(crate) fn join(&self, room: &str) {
        let mut members = self.rooms.lock();
        let before = members.room_of(&self.name);
        if let Some((place, _)) = members.members.get_mut(&self.name) {
            room.clone_into(place);
        }
        members.tell(&before, &format!("* {} goes to {room}\n", self.name));
        members.tell(room, &format!("* {} comes in\n", self.name));
    }

    /// Returns the names of the members of this room.
    pub(crate) fn who(&self) -> String {
        let members = self.rooms.lock();
        let room = members.room_of(&self.name);
        let there = members
            .members
            .iter()
            .filter(|(_, (their, _))| *their == room);
        let names: Vec<&str> = there.map(|(name, _)| name.as_str()).collect();
        format!("* in {room}: {}\n", names.join(", "))
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        let mut members = self.rooms.lock();
        let room = members.room_of(&self.name);
        members.members.remove(&self.name);
        members.tell(&room, &format!("* {} is gone\n", self.name));
    }
}
