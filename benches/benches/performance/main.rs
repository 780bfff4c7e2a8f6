//! What do the library's parts cost, for the book's chapter on performance? Expansions by store and by body, reverse
//! searches, whole solves in units of plain distance tables, and the ticks of crowds. Nobody reads the tables that are
//! printed: the file of raw results becomes the chapter.

mod crowds;
mod expansions;
mod machine;
mod plain_tables;
mod record;
mod reverse;
mod solves;

use record::Record;

fn main() {
    let mut record = Record::begin();
    expansions::by_store(&mut record);
    expansions::by_body(&mut record);
    reverse::measure(&mut record);
    solves::measure(&mut record);
    crowds::measure(&mut record);
    record.end(&machine::description(), &machine::load());
}
