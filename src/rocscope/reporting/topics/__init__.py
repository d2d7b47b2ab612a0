"""What a report says of each kind of result: one file per topic, each with `sections(items)`."""
