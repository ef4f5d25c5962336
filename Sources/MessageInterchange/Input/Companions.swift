/// The files beside the one that is being read, for formats that spread what belongs together over several files.
///
/// What the user named is gone through a second time for them, once; standard input cannot be.
final class Companions {
  private let root: String?
  private var slackWorkspaces: [[String]: SlackWorkspace] = [:]

  /// Creates the companions of the files in what the user named; `nil` for standard input.
  init(root: String?) { self.root = root }

  /// The largest companion that is read, in bytes.
  private static let bound = 64 << 20

  /// Returns the Slack workspace whose lists of users and channels lie in a folder.
  func slackWorkspace(in folder: [String]) -> SlackWorkspace {
    if let known = slackWorkspaces[folder] { return known }
    let files = contents(of: SlackWorkspace.fileNames, in: folder)
    let workspace = SlackWorkspace(files)
    slackWorkspaces[folder] = workspace
    return workspace
  }

  private func contents(of names: Set<String>, in folder: [String]) -> [String: [UInt8]] {
    guard let root, var walker = try? InputWalker([root], only: names) else { return [:] }
    var contents: [String: [UInt8]] = [:]
    while contents.count < names.count {
      switch walker.next() {
      case .end: return contents
      case .unreadable: continue
      case .file(let file):
        guard file.components.dropLast().elementsEqual(folder) else { continue }
        contents[file.name] = Self.bytes(of: file)
      }
    }
    return contents
  }

  private static func bytes(of file: InputFile) -> [UInt8]? {
    guard let bytes = try? file.source.peek(bound), bytes.count < bound else { return nil }
    return Array(bytes)
  }
}
