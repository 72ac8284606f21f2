//! Writes what the arguments name, of which `-` is standard output: models, reports and descriptors.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use shape_model::ModelFile;
use shape_model::file::{EditedFile, FileId, ModelEdit, ModelError, RelocateError, replace};

use crate::input;
use crate::options::Format;
use crate::signals;

/// What to do if a model is written into another folder, and has data in other files of its own folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExternalData {
    /// Copy the data files beside the new model; never over a file with other contents
    Copy,
    /// Write the model with the same relative paths, wherever they lead
    Keep,
}

/// The changes that a model is written with.
pub(crate) trait Changed {
    /// Writes the model into a file.
    fn write(&self, model: &ModelFile, target: &Path) -> Result<(), ModelError>;

    /// Writes the model into a stream.
    fn write_to(&self, model: &ModelFile, output: impl io::Write) -> Result<(), ModelError>;
}

impl Changed for ModelEdit {
    fn write(&self, model: &ModelFile, target: &Path) -> Result<(), ModelError> {
        model.rewrite(self, target)
    }

    fn write_to(&self, model: &ModelFile, output: impl io::Write) -> Result<(), ModelError> {
        model.rewrite_to(self, output)
    }
}

/// It is the file that it was made from.
impl Changed for EditedFile<'_> {
    fn write(&self, _: &ModelFile, target: &Path) -> Result<(), ModelError> {
        self.write(target)
    }

    fn write_to(&self, _: &ModelFile, output: impl io::Write) -> Result<(), ModelError> {
        self.write_to(output)
    }
}

/// The option of each command that writes a model.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelOutput {
    /// If the data of tensors is in other files and OUT.onnx is in another folder: copy these files, or keep their paths
    ///
    /// Without this option, such a model is written only if it finds the same data there; otherwise nothing is written.
    #[arg(long, value_enum, value_name = "WHAT", requires = "output")]
    external: Option<ExternalData>,
}

impl ModelOutput {
    /// Fails if a model cannot be written to `target` while the command prints this format.
    pub(crate) fn check(target: &Path, format: Format) -> Result<(), String> {
        check_stream(target, format, ("-o", "the model"))?;
        if input::is_stream(target) && io::stdout().is_terminal() {
            return Err(
                "`-o -` writes the bytes of a model, which is not for a terminal; redirect standard output, or \
                        give `-o` a file"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// Writes a model with changes. The target may be the model itself, but no other file that the command reads; `inputs`
    /// are those besides the model and its data.
    pub(crate) fn write(
        &self,
        model: &ModelFile,
        changed: &impl Changed,
        target: &Path,
        mut inputs: Inputs,
    ) -> Result<(), String> {
        inputs.add(model.data_files());
        inputs.check(target)?;
        let place = Place::of(target);
        let copies = match (self.external, &place) {
            (Some(ExternalData::Keep), _) | (_, Place::Device) => Vec::new(),
            (Some(ExternalData::Copy), Place::Folder) => {
                signals::watch();
                model.copy_data(target).map_err(|error| self.explain(&error))?
            }
            (_, Place::Folder) => {
                model.check_relocated(Some(target)).map_err(|error| self.explain(&error))?;
                Vec::new()
            }
            (_, Place::Stream) => {
                model.check_relocated(None).map_err(|error| self.explain(&error))?;
                Vec::new()
            }
        };
        if input::is_stream(target) {
            return changed.write_to(model, io::stdout().lock()).map_err(|error| match error {
                ModelError::Write { reason, .. } => format!("cannot write to standard output: {reason}"),
                other => other.to_string(),
            });
        }
        signals::watch();
        changed.write(model, target).map_err(|error| {
            // Without the model, its data is of no use.
            copies.iter().for_each(|copy| drop(fs::remove_file(copy)));
            error.to_string()
        })
    }

    /// Why the model does not find its data, and which value of the option helps.
    fn explain(&self, error: &RelocateError) -> String {
        match (error, self.external) {
            (RelocateError::Left { .. }, _) => {
                format!("{error}; `--external copy` copies the data, `--external keep` writes the model without it")
            }
            _ => format!("{error}; `--external keep` writes the model without its data"),
        }
    }
}

/// Fails if what an option writes would share standard output with a result in this format.
pub(crate) fn check_stream(target: &Path, format: Format, (option, what): (&str, &str)) -> Result<(), String> {
    if input::is_stream(target) && format != Format::Text {
        return Err(format!(
            "`{option} -` writes {what} to standard output, where the result would be too; give `{option}` a file, or \
             leave out the format"
        ));
    }
    Ok(())
}

/// Where a model is written to.
enum Place {
    /// A file: tensors find their data in its folder.
    Folder,
    /// Standard output or a pipe, which has no folder.
    Stream,
    /// A device, such as `/dev/null`, which keeps nothing.
    Device,
}

impl Place {
    fn of(target: &Path) -> Self {
        if input::is_stream(target) {
            return Self::Stream;
        }
        match fs::metadata(target) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => match is_pipe(&metadata) {
                true => Self::Stream,
                false => Self::Device,
            },
            _ => Self::Folder,
        }
    }
}

fn is_pipe(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        metadata.file_type().is_fifo() || metadata.file_type().is_socket()
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// The output as messages name it: a path, or `<stdout>`.
pub(crate) fn label(target: &Path) -> &Path {
    if input::is_stream(target) { Path::new("<stdout>") } else { target }
}

/// The files that a command reads, none of which its output may replace.
#[derive(Default)]
pub(crate) struct Inputs(HashMap<FileId, PathBuf>);

impl Inputs {
    /// Adds files. What cannot be found is reported where it is read.
    pub(crate) fn add(&mut self, paths: impl IntoIterator<Item = PathBuf>) {
        self.0.extend(paths.into_iter().filter_map(|path| Some((FileId::of(&path).ok()?, path))));
    }

    /// Fails if an output would replace one of the files, also through links.
    pub(crate) fn check(&self, target: &Path) -> Result<(), String> {
        match FileId::of(target).ok().and_then(|target| self.0.get(&target)) {
            Some(input) => {
                let (target, input) = (target.display(), input.display());
                Err(format!("the output {target} would replace {input}, which this command reads; no file was written"))
            }
            None => Ok(()),
        }
    }

    /// Writes to standard output if `target` stands for it, and replaces `target` otherwise.
    pub(crate) fn write(&self, target: &Path, content: &[u8]) -> Result<(), String> {
        if input::is_stream(target) {
            let mut out = io::stdout().lock();
            let written = out.write_all(content).and_then(|()| out.flush());
            return written.map_err(|error| format!("cannot write to standard output: {error}"));
        }
        self.replace(target, content)
    }

    /// Writes a file under a temporary name, and replaces `target` by it when it is complete.
    pub(crate) fn replace(&self, target: &Path, content: &[u8]) -> Result<(), String> {
        self.check(target)?;
        signals::watch();
        replace(target, |file| file.write_all(content))
            .map_err(|error| format!("cannot write {}: {error}", target.display()))
    }
}
