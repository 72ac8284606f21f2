//! `shape docs`: the site as a whole, its pages one by one, and where it is written.

mod folders;
mod html;
mod pages;
mod site;
