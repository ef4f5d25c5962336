import Foundation
import TestSupport

/// The stage on which stories are played: it runs their parts in processes of their own and reads their figures.
struct StoryStage {
  let folder: String
  let naiveMegabytes: Int

  /// The figures of a part, by name.
  typealias Figures = [String: Double]

  /// Runs a part to its end.
  func play(_ part: StoryPart.Name, _ arguments: [String], memoryMegabytes: Int? = nil) throws -> Figures {
    let output = "\(folder)/part-\(ProcessInfo.processInfo.processIdentifier).txt"
    defer { unlink(output) }
    var words = ["story-part", part.rawValue] + arguments
    if let memoryMegabytes { words += ["--memory", "\(memoryMegabytes)"] }
    var program = Program(BuiltProduct.path(of: "scrollback-bench"), arguments: words)
    program.output = output
    let peak = try program.run()
    var figures = Self.figures(in: try String(contentsOfFile: output, encoding: .utf8))
    if figures["peak"] == nil { figures["peak"] = Double(peak) / 1e6 }
    return figures
  }

  /// Runs a part the naive way; `nil` if it did not survive its limit of memory: a signal ended it.
  func playNaively(_ part: StoryPart.Name, _ arguments: [String]) throws -> Figures? {
    do {
      return try play(part, arguments, memoryMegabytes: naiveMegabytes)
    } catch let failure as Program.Failure where failure.isBySignal {
      return nil
    }
  }

  static func figures(in text: String) -> Figures {
    text.split(separator: "\n").reduce(into: [:]) { figures, line in
      let pair = line.split(separator: "=")
      if pair.count == 2, let value = Double(pair[1]) { figures[String(pair[0])] = value }
    }
  }
}
