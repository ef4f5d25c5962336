internal import Foundation
internal import MessageModel

/// The formats of files by their kind: names that differ in numbers only, as deep in their folders.
///
/// A file that looks like generic JSON or a table is in a program's format if others of its kind are: a day
/// of an export that contains only a file must not be read as something more general.
struct KindredFiles {
  private struct Kind: Hashable {
    var depth: Int
    var name: String
    /// The first sign that is no space: a list is no object.
    var sign: UInt8?
  }

  private var formats: [Kind: any ImportFormat] = [:]
  private var searched: Set<[String]> = []

  private static let mostKinds = 1_024
  private static let mostSearched = 16

  /// Records the format of a file, unless it is a loose one, or an IRC dialect: these look too much alike.
  mutating func record(_ format: any ImportFormat, of sample: FormatSample) {
    guard !ImportFormats.isLoose(format), !(format is IRCLogFormat), formats.count < Self.mostKinds else {
      return
    }
    formats[Self.kind(of: sample)] = format
  }

  /// Returns the format of the files of the same kind that were read before or lie in the same folder.
  ///
  /// - Complexity: O(names in the folder), once for each folder.
  mutating func format(
    of file: InputFile, _ sample: FormatSample, or others: [any ImportFormat]
  ) -> (any ImportFormat)? {
    let kind = Self.kind(of: sample)
    if formats[kind] == nil, file.diskPath != nil, file.root != file.diskPath,
      searched.insert(file.folder + [kind.name]).inserted
    {
      search(file.folder, kind, or: others)
    }
    return formats[kind]
  }

  private mutating func search(_ folder: [String], _ kind: Kind, or others: [any ImportFormat]) {
    let place = "/" + folder.joined(separator: "/")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    for name in names.filter({ Self.withoutNumbers($0) == kind.name }).sorted().prefix(Self.mostSearched) {
      let path = "\(place)/\(name)"
      guard !PathNames.isHidden(name, in: folder), let producer = try? FileProducer(path: path),
        producer.byteCount != nil
      else { continue }
      let file = InputFile(
        path: path, components: folder + [name], byteCount: nil, source: ByteSource(producer))
      guard let sample = try? FormatSample(file), Self.kind(of: sample) == kind,
        let format = ImportFormats.certain(for: sample, or: others)
      else { continue }
      return record(format, of: sample)
    }
  }

  private static func kind(of sample: FormatSample) -> Kind {
    Kind(depth: sample.components.count, name: withoutNumbers(sample.name), sign: sample.firstSign)
  }

  private static func withoutNumbers(_ name: String) -> String {
    name.split { $0.isASCII && $0.isNumber }.joined(separator: "0")
  }
}
