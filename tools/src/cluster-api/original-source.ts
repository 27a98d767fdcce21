import { CLUSTER_API_MODULE, CLUSTER_API_VERSION } from './module.js';

/** The kinds the program converts. */
export const ORIGINAL_KINDS = [
  'Cluster',
  'ClusterClass',
  'Machine',
  'MachineDeployment',
  'MachineDrainRule',
  'MachineHealthCheck',
  'MachinePool',
  'MachineSet',
] as const;

/** The go.mod of the program: the module, and the Go it was published for. */
export function originalGoMod(goMod: string): string {
  const goLine = goMod.split('\n').find((line) => /^go \d/.test(line.trim()));
  if (goLine === undefined) throw new Error(`the go.mod of ${CLUSTER_API_MODULE} has no go line`);
  const require = `require ${CLUSTER_API_MODULE} ${CLUSTER_API_VERSION}`;
  return ['module capstan.invalid/cluster-api-convert', '', goLine.trim(), '', require, ''].join('\n');
}

function kindLine(kind: string): string {
  return `\t"${kind}": func() (conversion.Convertible, conversion.Hub) { return &older.${kind}{}, &newer.${kind}{} },`;
}

const head = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	older "${CLUSTER_API_MODULE}/api/core/v1beta1"
	newer "${CLUSTER_API_MODULE}/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

type question struct {
	Kind   string          \`json:"kind"\`
	From   string          \`json:"from"\`
	Object json.RawMessage \`json:"object"\`
}

type answer struct {
	Source json.RawMessage \`json:"source,omitempty"\`
	Result runtime.Object  \`json:"result,omitempty"\`
	Error  string          \`json:"error,omitempty"\`
}

`;

const rest = `func convert(asked question) (reply answer) {
	defer func() {
		if recovered := recover(); recovered != nil {
			reply.Error = fmt.Sprintf("panic: %v", recovered)
		}
	}()
	spoke, hub := kinds[asked.Kind]()
	var source, target runtime.Object = spoke.(runtime.Object), hub.(runtime.Object)
	version, run := "v1beta2", func() error { return spoke.ConvertTo(hub) }
	if asked.From == "v1beta2" {
		source, target = target, source
		version, run = "v1beta1", func() error { return spoke.ConvertFrom(hub) }
	}
	if err := json.Unmarshal(asked.Object, source); err != nil {
		return answer{Error: "unreadable: " + err.Error()}
	}
	read, err := json.Marshal(source)
	if err != nil {
		return answer{Error: "unwritable: " + err.Error()}
	}
	reply.Source = read
	if err := run(); err != nil {
		reply.Error = err.Error()
		return reply
	}
	target.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: version, Kind: asked.Kind})
	reply.Result = target
	return reply
}

func main() {
	older.SetAPIVersionGetter(func(kind schema.GroupKind) (string, error) {
		return schema.GroupVersion{Group: kind.Group, Version: "v1beta7"}.String(), nil
	})
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	in, encoder := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(out)
	for {
		var asked question
		if err := in.Decode(&asked); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if err := encoder.Encode(convert(asked)); err != nil {
			panic(err)
		}
	}
}
`;

/**
 * A program around the original converters: a JSON object a line comes in, `{"kind", "from", "object"}`, and
 * `{"source", "result"}` or `{"source", "error"}` goes out for each, the source as Go's types hold it. Every referenced kind is taken to have the version v1beta7.
 */
export function originalProgram(): string {
  const table = ORIGINAL_KINDS.map(kindLine).join('\n');
  return `${head}var kinds = map[string]func() (conversion.Convertible, conversion.Hub){\n${table}\n}\n\n${rest}`;
}
