import Foundation
import Testing

/// Each sample in a comment of the libraries of an app stands, line for line, in a file of this folder,
/// where it is compiled; but for those of SwiftUI and UIKit, which are not there on Linux.
@Suite struct SampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func files(in folder: String) throws -> [URL] {
    let root = Self.root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
      .map { root.appending(path: $0) }
  }

  private func lines(of file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
  }

  /// The samples of a file, a list of lines each, without what is blank and how far they are indented.
  private func samples(in file: URL) throws -> [[String]] {
    var samples: [[String]] = []
    var sample: [String]?
    for line in try lines(of: file) where line.hasPrefix("///") {
      let text = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
      if text == "```swift" {
        sample = []
      } else if text == "```", let whole = sample {
        samples.append(whole)
        sample = nil
      } else if !text.isEmpty {
        sample?.append(text)
      }
    }
    return samples
  }

  private static func isForApple(_ sample: [String]) -> Bool {
    sample.contains { $0.hasPrefix("@State ") || $0.contains("UIApplication.") }
  }

  @Test func `what the sample of SwiftUI reports to its model is played by a test`() throws {
    let file = Self.root.appending(path: "Sources/Window/MessageWindows/Lists/MessageListModel.swift")
    let sample = try samples(in: file).joined()
    let played = try files(in: "Tests/MessageWindowsTests").flatMap(lines(of:))
    let report = "model.readerSees(visible)"
    #expect(sample.contains { $0.contains(report) } && played.contains { $0.contains(report) })
  }

  @Test func `each sample in a comment is compiled`() throws {
    let modules = [
      "MessageModel", "HistoryModel", "MessageStorage", "MessageWindows", "RowGeometry", "MessageInterchange",
      "MessagePictures", "MessagePeople", "TypedQueries", "HistoryTransfer",
    ]
    let compiled = try files(in: "Tests/ScrollbackKitTests").map { try lines(of: $0).joined(separator: "\n") }
    var count = 0
    for module in modules {
      for file in try files(in: "Sources") where file.pathComponents.contains(module) {
        for sample in try samples(in: file) where !Self.isForApple(sample) {
          count += 1
          let text = sample.joined(separator: "\n")
          #expect(compiled.contains { $0.contains(text) }, "\(file.lastPathComponent):\n\(text)")
        }
      }
    }
    #expect(count >= 12)
  }
}
