internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import TerminalText

/// What a home has that can be imported: sessions of assistants, logs of IRC clients, and exports in the folder
/// of downloads.
package struct FoundHistories {
  private let assistants: [AssistantFinding]
  private let logs: [AssistantFinding]
  private let exports: [NamedExports]

  /// A command that imports one of them.
  struct Offer: Hashable {
    /// What it imports: `WhatsApp: 2 exports`.
    let title: String
    /// The command as the user would type it.
    let command: String
    /// Its arguments, without the program's name.
    let arguments: [String]
  }

  /// Searches a home. Folders are listed; no file is opened.
  ///
  /// - Complexity: O(files of the places).
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let home = AssistantHome(environment: environment)
    var search = AssistantSearch()
    search.look(into: home)
    assistants = search.findings
    search = AssistantSearch()
    search.look(into: home, for: ImportFormats.chatLogs)
    logs = search.findings.filter(\.isWorthFollowing)
    exports = NamedExports.found(in: home)
  }

  /// The commands that import all of it.
  var offers: [Offer] {
    let sessions = assistants.filter(\.isWorthFollowing)
    var offers = logs.map(Self.offer) + exports.map(Self.offer)
    if !sessions.isEmpty { offers.insert(Self.offer(ofSessions: sessions), at: 0) }
    return offers
  }

  private static func offer(ofSessions findings: [AssistantFinding]) -> Offer {
    var programs: [(name: String, count: Int)] = []
    for finding in findings {
      if let index = programs.firstIndex(where: { $0.name == finding.program }) {
        programs[index].count += finding.count
      } else {
        programs.append((finding.program, finding.count))
      }
    }
    let names = programs.map { "\($0.name) (\(NumberText.grouped($0.count)))" }.joined(separator: ", ")
    return following(findings, titled: "Sessions of assistants: \(names)")
  }

  private static func offer(of finding: AssistantFinding) -> Offer {
    following([finding], titled: "\(finding.program): \(NumberText.counted(finding.count, "log"))")
  }

  /// `follow` remembers the places: `scrollback follow` later imports what is new there.
  private static func following(_ findings: [AssistantFinding], titled title: String) -> Offer {
    let words = ["follow", "--once"]
    return Offer(
      title: title,
      command: (["scrollback"] + words + findings.map(\.shellWord)).joined(separator: " "),
      arguments: words + findings.flatMap(\.places))
  }

  private static func offer(of exports: NamedExports) -> Offer {
    Offer(
      title: "\(exports.program): \(NumberText.counted(exports.paths.count, "export"))",
      command: exports.command, arguments: ["import"] + exports.paths)
  }
}

extension NamedExports {
  fileprivate var command: String {
    "scrollback import " + paths.map { ShellWord.quoted(PathBytes.shown($0)) }.joined(separator: " ")
  }
}

/// What `api/found` answers.
package struct FoundAnswer: Codable, Hashable, Sendable {
  /// As ``AssistantsAnswer/assistants``.
  package var assistants: [AssistantAnswer]
  /// As ``AssistantsAnswer/command``.
  package var command: String?
  /// Logs and exports.
  package var others: [FoundOtherAnswer]
}

/// Logs or exports of one program.
package struct FoundOtherAnswer: Codable, Hashable, Sendable {
  package var program: String
  /// `*` in a path of logs stands for several folders.
  package var paths: [String]
  /// The command that imports them, and follows logs.
  package var command: String
}

extension FoundAnswer {
  package init(_ found: FoundHistories) {
    let sessions = found.sessions
    self.init(assistants: sessions.assistants, command: sessions.command, others: found.others)
  }
}

extension FoundHistories {
  fileprivate var sessions: AssistantsAnswer {
    AssistantsAnswer(
      assistants, command: AssistantsAnswer.followCommand(for: assistants, store: nil))
  }

  fileprivate var others: [FoundOtherAnswer] {
    logs.map { finding in
      FoundOtherAnswer(
        program: finding.program, paths: [PathBytes.shown(finding.path)],
        command: PathBytes.shown("scrollback follow \(finding.shellWord)"))
    }
      + exports.map { exports in
        FoundOtherAnswer(
          program: exports.program, paths: exports.paths.map { PathBytes.shown($0) },
          command: exports.command)
      }
  }
}
