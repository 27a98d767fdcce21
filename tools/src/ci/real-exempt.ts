/**
 * Suites of `test/` that run on the embedded server alone, or on none, and why. Every other suite must run on a real
 * kube-apiserver; a test sees to it, and to it that nothing is listed here that could be struck out.
 */
export const REAL_EXEMPT: Readonly<Record<string, string>> = {
  'test/attacks/kubeconfigs.test.ts': 'needs a server that lies, which no kube-apiserver does: it is scripted',
  'test/attacks/paths.test.ts': 'needs a server that lies, which no kube-apiserver does: it is scripted',
  'test/attacks/long-work.test.ts': 'is about the one thread that the embedded server has; a real one has many',
  'test/attacks/stalled-readers.test.ts':
    'reads what the embedded server counts and turns its limits; those of a real one take a minute to be felt',
  'test/attacks/watch-soak.test.ts': 'weighs the process of the embedded server',
  'test/attacks/bad-day.test.ts':
    'hours of a hosted cluster pass in it, in virtual time; the hosting suite tells real servers its story',
  'test/attacks/overwritten-status.test.ts':
    'waits in virtual time after each of hundreds of writes; the hosting suite tells real servers the story',
  'test/attacks/growth.test.ts':
    'measures the time of our own functions; what they answer the suites of conformance tell',
  'test/attacks/disk.test.ts':
    'takes the disk away from our own program, and looks at the folder it keeps its state in',
  'test/cluster/virtual-nodes.test.ts':
    'hours pass in it, in virtual time; what a moment shows of it is told to real servers by the controllers suite',
  'test/cluster/virtual-pods.test.ts':
    'half hours of back-off pass in it, in virtual time; what a moment shows of it is told to real servers by the controllers suite',
  'test/conformance/garbage.test.ts': 'looks into the store of the embedded server for what garbage has done to it',
  'test/conformance/history.test.ts': 'needs the history cut short, which a real server cannot be told to do',
  'test/control-plane/routes.test.ts':
    'defines routes, by which every control plane of a server is published differently: it has one of its own',
  'test/control-plane/simulated.test.ts':
    'is about crashes at every write, in virtual time; what the operators do real servers are told by the suites beside it',
  'test/durability/kill.test.ts': 'kills our own program and reads the folder it keeps its state in',
  'test/durability/ledger.test.ts': 'needs no server: it is about how the promises of one are kept book of',
  'test/hosted-cluster/bad-input.test.ts':
    'is about decisions, one cluster each; what the operator does beside real servers its own suite tells',
  'test/hosted-cluster/deletion.test.ts':
    'reads the log of a hand-driven operator; that clusters go the operator suite tells real servers',
  'test/hosted-cluster/effects.test.ts':
    'brings up a cluster for every request that may be lost; what comes of it the operator suite tells real servers',
  'test/hosted-cluster/life.test.ts':
    'moves the time of a hand-driven operator; what it does beside real servers the operator suite tells',
  'test/hosted/faults.test.ts':
    'is about operators that fail, and hours pass in it, in virtual time; the hosting suite beside it tells real servers the story',
  'test/hosted/from-zero.test.ts':
    'waits again and again until a node has been idle for long enough, in virtual time; how a pool grows the hosting suite beside it tells real servers',
  'test/hosted/drains.test.ts':
    'minutes of drains pass in it, in virtual time; upgrades in place the node pools suite runs on real servers',
  'test/hosted/namespace.test.ts':
    'deletes controllers and waits for hours, in virtual time; the hosting suite deletes namespaces of real servers',
  'test/hosted/releases.test.ts':
    'refuses pods of simulated workloads, and hours pass in it, in virtual time; upgrades the hosting suite runs on real servers',
  'test/hosted/tampered.test.ts': 'reads every revision of a Secret in the event log of the simulation',
  'test/hosted/overwritten.test.ts':
    'sees in virtual time that nothing is written for minutes; the hosting suite beside it tells real servers the story',
  'test/hosted-cluster/platforms.test.ts':
    'drives the operator by hand on every platform; what it does beside real servers the operator suite tells',
  'test/kubectl/binaries.test.ts': 'needs no server: it is about how kubectls are found',
  'test/kubectl/breadth.test.ts': 'needs no server: it is about which kubectls are told how much',
  'test/kubectl/faults.test.ts': 'only the embedded server can be told to fail',
  'test/node-pools/bad-input.test.ts':
    'minutes of machines pass in it, in virtual time, beside Cluster API and a cloud of ours; real servers are told by the node pools suite',
  'test/node-pools/in-place.test.ts':
    'minutes of machines pass in it, in virtual time, beside Cluster API and a cloud of ours; real servers are told by the node pools suite',
  'test/node-pools/overwritten.test.ts':
    'counts in virtual time how often a pool is looked at; that one comes to rest the node pools suite tells real servers',
  'test/node-pools/stuck.test.ts':
    'minutes of drains pass in it, in virtual time, beside Cluster API and a cloud of ours; real servers are told by the node pools suite',
  'test/node-pools/replace.test.ts':
    'minutes of machines pass in it, in virtual time, beside Cluster API and a cloud of ours; real servers are told by the node pools suite',
  'test/node-pools/crash.test.ts': 'ends the process at every write, in virtual time',
  'test/node-pools/faults.test.ts': 'everything around the process fails, in virtual time',
  'test/up/npm.test.ts': 'is about the processes of npm start and npx',
  'test/up/screen.test.ts': 'is about what npm start shows',
  'test/up/uncaught.test.ts': 'is about the process of capstan up and the containers in it',
  'test/up/signals.test.ts': 'is about the process of capstan up and the cluster it starts itself',
  'test/up/upgrade.test.ts': 'is about the cluster that capstan up starts itself',
  'test/up/hosted.test.ts': 'is about the cluster that capstan up starts itself',
  'test/providers/barge.test.ts': 'needs no server: it asks the platform that the documents show',
  'test/providers/hosted-cluster.test.ts':
    'puts every platform before the operator; the operator itself is told to real servers by its own suite',
  'test/crd-compatibility/release-pairs.test.ts':
    'needs no server: it counts witnesses; those of the acceptance table the witnesses suite sends to real ones',
  'test/providers/published-schemas.test.ts':
    'needs no server: it asks published schemas, which the api-kinds suite gives to real ones',
  'test/proxy/process.test.ts':
    'kills and weighs our own program before a scripted server; what it serves real ones tell in the proxy suite',
  'test/proxy/streams.test.ts':
    'is about bytes that nobody between a client and a kubelet reads; kubectl tells real servers the same streams',
  'test/runtime/informer-restart.test.ts':
    'kills and restarts our own program; that informers come through a cut they tell real servers in their survival',
  'test/translate/agreement.test.ts': 'needs no server: it compares two translations of the same objects',
  'test/translate/protobuf.test.ts':
    'needs no server: it is about bytes, and the encodings suite takes some to real ones',
  'test/translate/protobuf-vectors.test.ts':
    'needs no server: it is about bytes, and the encodings suite takes some to real ones',
  'test/translate/protobuf-watch.test.ts':
    'needs no server: it is about bytes, and the encodings suite takes some to real ones',
  'test/runtime/leader-processes.test.ts':
    'needs the order in which the embedded server commits; leaders beside real servers are told by the runtime suite',
  'test/up/greeter.test.ts': 'is about the simulation; the runtime suite tells the same operator to real servers',
  'test/up/up.test.ts':
    'is about the embedded cluster of capstan up; the proxy and shim suites tell real servers what its pods do',
};
