-- What people write through the contact form. It is mailed to support and kept for the console.
create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null,
  message text not null,
  client_address text not null,
  received_at timestamptz not null
);
create index contact_messages_by_time on contact_messages (received_at desc);

grant select, insert on contact_messages to tallystick_app;
