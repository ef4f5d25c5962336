internal import CBuildNote
internal import CMalloc
internal import CReadline
internal import ChatSession
internal import Foundation
internal import MessageStorage
internal import ShellCommands

@main
enum Main {
  static func main() {
    if CommandLine.arguments.dropFirst().first == OtherProgram.serverWord {
      return ServeProgram.main(Array(CommandLine.arguments.dropFirst(2)))
    }
    if !Shell.expectsSignals(CommandLine.arguments.dropFirst()) { Interruption.removeLeftovers() }
    cmalloc_configure()
    Interruption.surviveFileLimit()
    let environment = ProcessInfo.processInfo.environment
    let pager = Pager(over: STDOUT_FILENO, environment: environment)
    var shell = Shell(environment: environment, prepareForImport: prepareForImport, pager: pager) { request in
      try MainActor.assumeIsolated { try Window.open(request) }
    }
    shell.build.commit = String(cString: cbuildnote_commit())
    shell.build.libraries = ["readline \(String(cString: creadline_version()))"]
    do throws(UsageError) {
      try TypedBytes.check()
    } catch {
      exit(shell.complain(error).rawValue)
    }
    exit(shell.run(TypedBytes.arguments).rawValue)
  }

  private static func prepareForImport() {
    // For three threads: one reads, one writes rows, one the search index.
    cmalloc_use_heaps(3)
    SynchronousMessageStore.forgoMemoryFigures()
  }
}
