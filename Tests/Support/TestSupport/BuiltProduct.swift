package import Foundation

/// The programs of this package as the build that runs the tests made them.
package enum BuiltProduct {
  /// The folder in which they lie.
  package static var folder: URL {
    // On a Mac the tests are a bundle run by a helper; elsewhere they are a program beside the others.
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
    let url = bundle.bundleURL
    return url.pathExtension == "xctest" ? url.deletingLastPathComponent() : url
  }

  /// The path of a program.
  package static func path(of name: String) -> String { folder.appendingPathComponent(name).path }

  /// Copies a program so that it can be run at once.
  ///
  /// Another process copies it: a file that this one has open for writing is inherited by every process that another test starts
  /// in that moment, and Linux runs no program that anybody has open for writing (`ETXTBSY`, execve(2)).
  package static func copy(_ name: String, to path: String) throws {
    let copying = Process()
    copying.executableURL = URL(fileURLWithPath: "/bin/cp")
    copying.arguments = [self.path(of: name), path]
    try copying.run()
    copying.waitUntilExit()
    guard copying.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
