/// One file with a history in it, wherever it lies: in a folder, in an archive, at the end of a pipe.
final class InputFile {
  /// Its path for people: `logs.tar.xz:perl6/2005/2005-02-26`.
  let path: String
  /// Its place, from the outermost folder known to its own name; what names and dates are read from. An archive counts
  /// as the folder of what is in it.
  let components: [String]
  /// Its size in bytes, if it is known.
  let byteCount: Int64?
  /// Its content.
  let source: ByteSource
  /// Its path on the disk, for formats that are not read from front to back; `nil` in archives and pipes.
  let diskPath: String?
  /// The path that the user named to get it.
  let root: String?
  /// The archive that it lies in, where several lie in each other the outermost; `nil` if in none.
  let archive: String?
  /// The files beside it.
  let companions: Companions

  /// Creates a file over an opened source.
  init(
    path: String, components: [String], byteCount: Int64?, source: ByteSource,
    companions: Companions = Companions(root: nil), diskPath: String? = nil, root: String? = nil,
    archive: String? = nil
  ) {
    self.root = root
    self.archive = archive
    self.diskPath = diskPath
    self.companions = companions
    self.path = path
    self.components = components
    self.byteCount = byteCount
    self.source = source
  }

  /// Its own name, without folders.
  var name: String { components.last ?? path }
}
